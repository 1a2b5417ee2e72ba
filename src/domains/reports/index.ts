export { tasks as reportTasks } from './gather.ts';
export { type Question, questionErrors, spanErrors } from './question.ts';
export { makeReport } from './report.ts';
export { routes as reportRoutes } from './routes.ts';
export { makeScheduleRoutes } from './schedules/routes.ts';
export { noteReady, reportEvents, runDue, startReportSchedules } from './schedules/run.ts';
export { csvColumns, csvRows, ReportQuery } from './schemas.ts';

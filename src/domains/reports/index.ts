export { reportEvents } from './events.ts';
export { type Question, questionErrors, spanErrors } from './question.ts';
export { makeReport } from './report.ts';
export { routes as reportRoutes } from './routes.ts';
export { makeScheduleRoutes } from './schedules/routes.ts';
export { noteReady, runDue, startReportSchedules } from './schedules/run.ts';
export { csvColumns, csvRows, ReportQuery } from './schemas.ts';
export { tasks as reportTasks } from './tasks.ts';

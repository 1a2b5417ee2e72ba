import { route } from '../../deps.ts';
import { ok } from '../../platform/http/route.ts';
import { checkQuestion, mostDays, mostDaysByHour, type Question } from './question.ts';
import { makeReport, makeSummary } from './report.ts';
import { csvColumns, csvRows, Report, ReportQuery, ReportSummary, ReportSummaryQuery } from './schemas.ts';

export const routes = [
  route({
    method: 'GET',
    url: '/v2/reports/',
    operationId: 'getReport',
    summary: 'Get a report of calls, messages, SMS, intros, leads or campaigns',
    description:
      `Days of the account's time zone: ${mostDays} at most, by the hour ${mostDaysByHour}. Calls can be grouped by agent, number and ` +
      'source, messages by intro, number and campaign, SMS by number and campaign, intros by intro, leads by agent, intro and source, ' +
      'campaigns by campaign; all of them by time.',
    tag: 'Reports',
    scope: 'insight:read',
    query: ReportQuery,
    responses: { 200: Report },
    csv: {
      name: 'report',
      columns: [],
      columnsOf: ({ query }) => csvColumns(query),
      async *rows({ deps, accountId, query }) {
        checkQuestion(query as Question);
        yield csvRows(await makeReport(deps, accountId, query as Question));
      },
    },
    handler: async ({ deps, accountId, query }) => {
      checkQuestion(query as Question);
      return ok(await makeReport(deps, accountId, query as Question));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/reports/summary/',
    operationId: 'getReportSummary',
    summary: 'Get the totals of all metrics',
    description: `Days of the account's time zone, ${mostDays} at most.`,
    tag: 'Reports',
    scope: 'insight:read',
    query: ReportSummaryQuery,
    responses: { 200: ReportSummary },
    handler: async ({ deps, accountId, query }) => ok(await makeSummary(deps, accountId, query as Question)),
  }),
];

/** The shared parts of the console. Their doc comments say how each is used. */
export { ApiForm, type ApiFormProps } from './api-form.tsx';
export { Chart } from './chart.tsx';
export { confirm } from './confirm.tsx';
export { Copy } from './copy.tsx';
export { type Column, DataTable, type DataTableProps } from './data-table.tsx';
export { EmptyState } from './empty-state.tsx';
export { type Filter, Filters, useFilters } from './filters.tsx';
export { Json } from './json.tsx';
export { Loaded } from './loaded.tsx';
export { Page, type PageProps } from './page.tsx';
export { Phone, usePhoneFormat } from './phone.tsx';
export { Problem } from './problem.tsx';
export { Section } from './section.tsx';
export { Stat } from './stat.tsx';
export { Status } from './status.tsx';
export { type Step, Story, stepOf } from './story.tsx';
export { Time } from './time.tsx';
export { useUnsaved } from './unsaved.ts';

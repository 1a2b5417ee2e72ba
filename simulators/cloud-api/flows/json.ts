/** One complaint about a flow's JSON, in the form of `validation_errors`. */
export type FlowProblem = Record<string, unknown>;

const problem = (error: string, message: string, path: string): FlowProblem => ({
  error,
  error_type: error === 'INVALID_JSON' ? 'JSON_SCHEMA_ERROR' : 'FLOW_JSON_ERROR',
  message,
  line_start: 1,
  line_end: 1,
  column_start: 1,
  column_end: 1,
  pointers: [{ line_start: 1, line_end: 1, column_start: 1, column_end: 1, path }],
});

interface Screen {
  id?: unknown;
  layout?: { type?: unknown; children?: unknown };
  terminal?: unknown;
}

/** The plain rules of a flow: a version, screens with ids and layouts, an end, and routes between screens that exist. */
export function validateFlowJson(text: string): FlowProblem[] {
  let flow: { version?: unknown; screens?: unknown; routing_model?: Record<string, unknown> };
  try {
    flow = JSON.parse(text);
  } catch (error) {
    return [problem('INVALID_JSON', (error as Error).message, '')];
  }
  if (typeof flow !== 'object' || flow === null) return [problem('INVALID_JSON', 'The flow must be an object.', '')];
  const problems: FlowProblem[] = [];
  const complain = (error: string, message: string, path: string) => problems.push(problem(error, message, path));
  if (!/^\d+\.\d+$/.test(String(flow.version)))
    complain('INVALID_PROPERTY_VALUE', "Property 'version' is not valid.", 'version');
  const screens = Array.isArray(flow.screens) ? (flow.screens as Screen[]) : [];
  if (screens.length === 0) complain('REQUIRED_PROPERTY_MISSING', "Property 'screens' must have a screen.", 'screens');
  const ids = screens.map(({ id }) => id);
  for (const [index, { id, layout }] of screens.entries()) {
    const path = `screens[${index}]`;
    if (typeof id !== 'string' || !/^[A-Za-z_]+$/.test(id))
      complain('INVALID_PROPERTY_VALUE', "Property 'id' must be letters and underscores.", `${path}.id`);
    if (ids.indexOf(id) !== index)
      complain('DUPLICATE_SCREEN_ID', `Screen id ${String(id)} is used twice.`, `${path}.id`);
    if (layout?.type !== 'SingleColumnLayout')
      complain('REQUIRED_PROPERTY_MISSING', "Property 'layout' is missing.", `${path}.layout`);
  }
  if (screens.length > 0 && !screens.some(({ terminal }) => terminal === true)) {
    complain('MISSING_TERMINAL_SCREEN', 'The flow has no terminal screen.', 'screens');
  }
  for (const [from, targets] of Object.entries(flow.routing_model ?? {})) {
    const missing = [from, ...(Array.isArray(targets) ? targets : [])].find((id) => !ids.includes(id));
    if (missing !== undefined)
      complain('INVALID_ROUTING_MODEL', `Screen ${String(missing)} is missing.`, `routing_model.${from}`);
  }
  return problems;
}

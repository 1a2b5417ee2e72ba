/** HTTP status and title of every error code the simulator can answer or report, after the platform's own table. */
export const errorTable: Readonly<Record<number, readonly [status: number, title: string]>> = {
  0: [401, 'AuthException'],
  1: [400, 'API Unknown'],
  2: [503, 'API Service'],
  3: [500, 'API Method'],
  4: [400, 'API Too Many Calls'],
  10: [403, 'API Permission Denied'],
  33: [400, 'Parameter value is not valid'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Access token has expired'],
  200: [403, 'API Permission'],
  368: [403, 'Temporarily blocked for policies violations'],
  2500: [400, 'Unknown path components'],
  80007: [400, 'Rate limit issues'],
  130429: [400, 'Rate limit hit'],
  130472: [400, "User's number is part of an experiment"],
  130497: [403, 'Business account is restricted from messaging users in this country'],
  131000: [500, 'Something went wrong'],
  131005: [403, 'Access denied'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131021: [400, 'Recipient cannot be sender'],
  131026: [400, 'Message undeliverable'],
  131030: [400, 'Recipient phone number not in allowed list'],
  131031: [403, 'Business Account locked'],
  131037: [400, 'Number needs display name approval'],
  131042: [400, 'Business eligibility payment issue'],
  131045: [500, 'Incorrect certificate'],
  131047: [400, 'Re-engagement message'],
  131048: [400, 'Spam rate limit hit'],
  131049: [400, 'This message was not delivered to maintain healthy ecosystem engagement'],
  131050: [400, 'User has stopped marketing messages from this business'],
  131051: [400, 'Unsupported message type'],
  131052: [400, 'Media download error'],
  131053: [400, 'Media upload error'],
  131055: [400, 'Method not allowed'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  131057: [500, 'Account in maintenance mode'],
  131060: [400, 'This message is unavailable'],
  131062: [400, 'Business-scoped user id is not allowed for this message'],
  131063: [400, 'Marketing templates are disabled for this account'],
  131064: [400, 'Messaging limit due to template misclassification'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132005: [400, 'Translated text too long'],
  132007: [400, 'Template format character policy violated'],
  132008: [400, 'Parameter value mismatch'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is paused'],
  132016: [400, 'Template is disabled'],
  132018: [400, 'Template parameter is not valid'],
  132068: [400, 'Flow is in blocked state'],
  132069: [400, 'Flow is in throttled state'],
  133004: [503, 'Server temporarily unavailable'],
  133005: [400, 'Two step verification PIN mismatch'],
  133010: [400, 'Phone number not registered'],
  133015: [400, 'Please wait before registering again'],
  133016: [400, 'Account register deregister rate limit exceeded'],
  135000: [400, 'Generic user error'],
  137000: [400, 'Identity key hash mismatch'],
  139000: [400, 'Flow blocked by integrity'],
  139001: [400, 'Flow cannot be updated'],
  139002: [400, 'Flow cannot be published'],
  139003: [400, 'Flow cannot be deprecated'],
  139004: [400, 'Flow cannot be deleted'],
  139100: [400, 'Failed to block some users'],
};

interface ErrorExtras {
  subcode?: number;
  /** Stands in place of the table's title, as for errors of Graph itself. */
  message?: string;
  type?: string;
  /** Words for the person in front of a screen; template creation gives them. */
  userTitle?: string;
  userMessage?: string;
  /** Some throttling answers were seen with 429 where the table says 400. */
  status?: number;
}

/** An answer of the platform that says no. Thrown by whatever notices, written by the server. */
export class GraphError extends Error {
  readonly code: number;
  readonly details: string | undefined;
  readonly extras: ErrorExtras;

  constructor(code: number, details?: string, extras: ErrorExtras = {}) {
    super(extras.message ?? `(#${code}) ${titleOf(code)}`);
    this.code = code;
    this.details = details;
    this.extras = extras;
  }

  get status(): number {
    return this.extras.status ?? errorTable[this.code]?.[0] ?? 400;
  }
}

export const titleOf = (code: number): string => errorTable[code]?.[1] ?? 'Unknown error';

/** No such object, or not yours: Graph makes no difference, and it is not a 404. */
export const unknownObject = (id: string, method = 'get'): GraphError =>
  new GraphError(100, undefined, {
    subcode: 33,
    type: 'GraphMethodException',
    message:
      `Unsupported ${method} request. Object with ID '${id}' does not exist, cannot be loaded due to missing ` +
      'permissions, or does not support this operation. Please read the Graph API documentation',
  });

/** The body of an error answer. */
export function errorBody(error: GraphError, traceId: string) {
  const { subcode, type = 'OAuthException', userTitle, userMessage } = error.extras;
  return {
    error: {
      message: error.message,
      type,
      code: error.code,
      ...(error.details !== undefined && {
        error_data: { messaging_product: 'whatsapp', details: error.details },
      }),
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...(error.code === 2 && { is_transient: true }),
      ...(userTitle !== undefined && { error_user_title: userTitle, error_user_msg: userMessage }),
      fbtrace_id: traceId,
    },
  };
}

/** The same problem as webhooks tell it, in `errors[]`. */
export const webhookError = (code: number, details: string) => ({
  code,
  title: titleOf(code),
  message: titleOf(code),
  error_data: { details },
  href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
});

/**
 * What the node can do, by resource and operation: the fields that the user fills in, and the request that these make. `of` reads a
 * field of the item at hand.
 */

const text = (name, displayName, extra = {}) => ({
  displayName,
  name,
  type: 'string',
  default: '',
  required: true,
  ...extra,
});
const optional = (name, displayName, extra = {}) => text(name, displayName, { required: false, ...extra });
const json = (name, displayName, description) => ({ displayName, name, type: 'json', default: '{}', description });
const limit = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 1000 },
  default: 50,
  description: 'Max number of results to return',
};
const uuid = text('uuid', 'ID', { description: 'The uuid that Parley returned' });
const sender = text('from', 'From', { placeholder: '+44 7700 900001', description: 'Your WhatsApp number' });
const person = text('to', 'To', { placeholder: '+44 7700 900123', description: 'Phone number in any notation' });

const get = (place, action) => ({
  name: 'Get',
  action,
  fields: [uuid],
  request: (of) => ({ method: 'GET', url: place(encodeURIComponent(of('uuid'))) }),
});
const getMany = (url, action, filters = []) => ({
  name: 'Get Many',
  action,
  isList: true,
  fields: [limit, ...filters],
  request: (of) => ({
    method: 'GET',
    url,
    qs: Object.fromEntries(filters.map(({ name }) => [name, of(name)]).filter(([, value]) => value !== '')),
  }),
});

const templateOf = (of) => {
  const values = of('parameters')
    .split('\n')
    .map((value) => value.trim())
    .filter(Boolean);
  return {
    template_name: of('template'),
    ...(of('language') && { language_code: of('language') }),
    ...(values.length > 0 && {
      components: [{ type: 'body', parameters: values.map((value) => ({ type: 'text', text: value })) }],
    }),
  };
};

const resources = {
  message: {
    name: 'Message',
    operations: {
      sendText: {
        name: 'Send Text',
        action: 'Send a text message',
        fields: [sender, person, text('text', 'Text', { typeOptions: { rows: 4 } })],
        request: (of) => ({
          method: 'POST',
          url: '/v2/chatapp/messages/',
          body: { chatapp_number: of('from'), to_chatapp_number: of('to'), type: 'TEXT', text: { body: of('text') } },
        }),
      },
      sendTemplate: {
        name: 'Send Template',
        action: 'Send a template message',
        fields: [
          sender,
          person,
          text('template', 'Template', { description: 'Name of an approved template' }),
          optional('language', 'Language', { placeholder: 'en_GB' }),
          optional('parameters', 'Body Parameters', {
            typeOptions: { rows: 3 },
            description: 'Values for the placeholders of the body, one on each line',
          }),
        ],
        request: (of) => ({
          method: 'POST',
          url: '/v2/chatapp/messages/',
          body: { chatapp_number: of('from'), to_chatapp_number: of('to'), type: 'TEMPLATE', template: templateOf(of) },
        }),
      },
      get: get((id) => `/v2/chatapp/messages/${id}/`, 'Get a message'),
      getMany: getMany('/v2/chatapp/messages/', 'Get many messages', [
        optional('status', 'Status', { placeholder: 'FAILED' }),
      ]),
    },
  },
  sms: {
    name: 'SMS',
    operations: {
      send: {
        name: 'Send',
        action: 'Send an SMS',
        fields: [
          text('from', 'From', { description: 'Your number or sender name' }),
          person,
          text('text', 'Text', { typeOptions: { rows: 4 } }),
        ],
        request: (of) => ({
          method: 'POST',
          url: '/v2/send-sms/',
          body: { from: of('from'), to: of('to'), text: of('text') },
        }),
      },
      get: get((id) => `/v2/send-sms/${id}/`, 'Get an SMS'),
      getMany: getMany('/v2/sms-records/', 'Get many SMS', [optional('status', 'Status', { placeholder: 'FAILED' })]),
    },
  },
  call: {
    name: 'Call',
    operations: {
      get: get((id) => `/v2/voice/calls/${id}/`, 'Get a call'),
      getMany: getMany('/v2/voice/calls/', 'Get many calls', [
        optional('result', 'Result', { placeholder: 'ANSWERED' }),
      ]),
    },
  },
  contact: {
    name: 'Contact',
    operations: {
      create: {
        name: 'Create',
        action: 'Create a contact',
        fields: [
          text('phone', 'Phone Number', { placeholder: '+44 7700 900123' }),
          optional('name', 'Name'),
          json('attributes', 'Attributes', 'Fields of your own, as a JSON object'),
        ],
        request: (of) => ({
          method: 'POST',
          url: '/v2/contacts/',
          body: { phone_number: of('phone'), name: of('name'), attributes: objectOf('Attributes', of('attributes')) },
        }),
      },
      get: get((id) => `/v2/contacts/${id}/`, 'Get a contact'),
      getMany: getMany('/v2/contacts/', 'Get many contacts'),
    },
  },
  chatIntro: {
    name: 'Chat Intro',
    operations: {
      create: {
        name: 'Create',
        action: 'Create a chat intro',
        fields: [
          sender,
          optional('reference', 'Reference', { description: 'Your own id of the listing' }),
          json('fields', 'Other Fields', 'Fields of POST /v2/chatapp/chat-intros/, as a JSON object'),
        ],
        request: (of) => ({
          method: 'POST',
          url: '/v2/chatapp/chat-intros/',
          body: {
            ...objectOf('Other Fields', of('fields')),
            chatapp_number: of('from'),
            ...(of('reference') && { reference_id: of('reference') }),
          },
        }),
      },
      get: get((id) => `/v2/chatapp/chat-intros/${id}/`, 'Get a chat intro'),
      getMany: getMany('/v2/chatapp/chat-intros/', 'Get many chat intros'),
    },
  },
  event: {
    name: 'Timeline Event',
    operations: {
      getMany: getMany('/v2/events/', 'Get many timeline events', [
        optional('subject', 'Subject', {
          description: 'Uuid of a message, SMS, call, intro or campaign: only its story',
        }),
      ]),
    },
  },
};

function objectOf(label, value) {
  let read = value;
  if (typeof value === 'string') {
    try {
      read = JSON.parse(value || '{}');
    } catch {
      read = undefined;
    }
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Error(`${label} must be a JSON object.`);
  return read;
}

/** The fields of the node as n8n shows them: resource, operation, and what the chosen operation asks for. */
function propertiesOf() {
  const options = Object.entries(resources).map(([value, { name }]) => ({ name, value }));
  const properties = [
    { displayName: 'Resource', name: 'resource', type: 'options', noDataExpression: true, options, default: 'message' },
  ];
  for (const [resource, { operations }] of Object.entries(resources)) {
    properties.push({
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [resource] } },
      options: Object.entries(operations).map(([value, { name, action }]) => ({ name, value, action })),
      default: Object.keys(operations)[0],
    });
    for (const [operation, { fields }] of Object.entries(operations)) {
      const displayOptions = { show: { resource: [resource], operation: [operation] } };
      properties.push(...fields.map((field) => ({ ...field, displayOptions })));
    }
  }
  return properties;
}

module.exports = { resources, propertiesOf };

export const messagesPath = '/v2/chatapp/messages/';

/** Stands for seven digits that are different in each request. What follows keeps the sandbox to its usual behaviour. */
export const recipientDigits = '0000000';

/** A template message as people send them: a picture, a few words filled in, a link. About 600 bytes. */
export const message = {
  chatapp_number: '+447700900001',
  to_chatapp_number: `+447${recipientDigits}1234`,
  type: 'TEMPLATE',
  template: {
    template_name: 'viewing_confirmed',
    language_code: 'en_GB',
    components: [
      {
        type: 'header',
        parameters: [
          { type: 'image', image: { url: 'https://cdn.example.com/listings/48213/front-of-house-large.jpg' } },
        ],
      },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ana' },
          { type: 'text', text: '12 Orchard Road, Bristol' },
          { type: 'text', text: 'Saturday at 10:30' },
        ],
      },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'viewings/9f27c1' }] },
    ],
  },
  meta_data: { order: 'A-1093' },
};

/** How n8n signs in to a Parley server. */
class ParleyApi {
  name = 'parleyApi';
  displayName = 'Parley API';
  properties = [
    {
      displayName: 'Server',
      name: 'url',
      type: 'string',
      default: 'http://127.0.0.1:8080',
      required: true,
      description: 'Address of the Parley server, without a path',
    },
    {
      displayName: 'Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A token of the account. Give it only the scopes that the workflow needs.',
    },
  ];
  authenticate = { type: 'generic', properties: { headers: { Authorization: '=Token {{$credentials.token}}' } } };
  test = { request: { baseURL: '={{$credentials.url}}', url: '/v2/auth/session/' } };
}

module.exports = { ParleyApi };

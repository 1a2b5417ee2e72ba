/** An error of a TLS connection, in a sentence if it is about the certificate. */
export function certificateProblem(error: Error): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isIt = /CERT|SIGNATURE|ISSUER|ALTNAME|CA_/.test(code) && !code.startsWith('ERR_SSL');
  // What follows a semicolon is advice about Node's command line.
  const [reason] = error.message.split(';');
  return isIt ? new Error(`The certificate is not trusted: ${reason}.`, { cause: error }) : error;
}

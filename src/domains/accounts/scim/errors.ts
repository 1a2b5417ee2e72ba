/** The detail keywords of RFC 7644, 3.12. */
export type ScimType = 'invalidFilter' | 'uniqueness' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'mutability';

/** What a SCIM client is answered instead of success. */
export class ScimError extends Error {
  override name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

const schema = 'urn:ietf:params:scim:api:messages:2.0:Error';

export const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: [schema],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});

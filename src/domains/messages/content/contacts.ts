import { Type } from 'typebox';

const optionalText = (most: number) => Type.Optional(Type.String({ maxLength: most }));
const Place = Type.Optional(Type.Enum(['HOME', 'WORK']));

const ContactCard = Type.Object(
  {
    name: Type.Object({
      formatted_name: Type.String({ minLength: 1, maxLength: 255 }),
      first_name: optionalText(255),
      middle_name: optionalText(255),
      last_name: optionalText(255),
      prefix: optionalText(255),
      suffix: optionalText(255),
    }),
    addresses: Type.Optional(
      Type.Array(
        Type.Object({
          street: optionalText(255),
          city: optionalText(255),
          state: optionalText(255),
          zip: optionalText(50),
          country: optionalText(255),
          country_code: optionalText(10),
          type: Place,
        }),
        { maxItems: 50 },
      ),
    ),
    birthday: Type.Optional(Type.String({ format: 'date' })),
    emails: Type.Optional(
      Type.Array(Type.Object({ email: Type.String({ minLength: 3, maxLength: 320 }), type: Place }), { maxItems: 50 }),
    ),
    org: Type.Optional(
      Type.Object({ company: optionalText(255), department: optionalText(255), title: optionalText(255) }),
    ),
    phones: Type.Optional(
      Type.Array(
        Type.Object({
          phone: Type.String({ minLength: 1, maxLength: 64 }),
          type: Place,
          wa_id: Type.Optional(
            Type.String({ maxLength: 64, description: 'Under which the platform knows the person; adds a button.' }),
          ),
        }),
        { maxItems: 50 },
      ),
    ),
    urls: Type.Optional(
      Type.Array(Type.Object({ url: Type.String({ format: 'uri' }), type: Place }), { maxItems: 50 }),
    ),
  },
  { title: 'ContactCard' },
);

/** 257 is the platform's own limit of cards in one message. */
export const Contacts = Type.Array(ContactCard, { minItems: 1, maxItems: 257 });

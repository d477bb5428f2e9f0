export const PERSONAL_KINDS = [
  'e-mail',
  'phone',
  'name',
  'address',
  'birth',
  'national id',
  'passport',
  'driving licence',
  'IBAN',
  'account',
  'card',
  'IP',
  'device id',
  'plate',
  'whereabouts',
  'username',
  'sensitive',
  'pay',
  'personal text',
  'private',
] as const

/** The kind of a personal value; shown instead of the value, so that a reader knows the content of a column. */
export type PersonalKind = (typeof PERSONAL_KINDS)[number]

export const maskOf = (kind: PersonalKind): string => `[${kind}]`

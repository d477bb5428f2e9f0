/** What a personal value is; shown in its place, so that a reader knows what a column holds. */
export type PersonalKind =
  | 'e-mail'
  | 'phone'
  | 'name'
  | 'address'
  | 'birth'
  | 'national id'
  | 'passport'
  | 'driving licence'
  | 'IBAN'
  | 'account'
  | 'card'
  | 'IP'
  | 'device id'
  | 'plate'
  | 'whereabouts'
  | 'username'
  | 'sensitive'
  | 'pay'
  | 'personal text'
  | 'private'

export const maskOf = (kind: PersonalKind): string => `[${kind}]`

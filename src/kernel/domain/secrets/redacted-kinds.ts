/** Kind of secret that is redacted on all input and output, for documentation. */
export interface RedactedKind {
  readonly kind: string
  readonly example: string
}

/**
 * Made-up examples, split into pieces so that no scanner mistakes them for real secrets; a test checks that the rules
 * redact each.
 */
export const REDACTED_KINDS: readonly RedactedKind[] = [
  { kind: 'Cloud and hosting keys', example: `AKIA${'QX7TZP4M'}${'W2LRB6KD'}` },
  {
    kind: 'Code host, registry and build tokens',
    example: `ghp_${'k3VtQ9xLz7'}${'RmB2nW8cYp5dHs4fJg1aTe6U'}9q`,
  },
  { kind: 'Model provider keys', example: `sk-ant-${'api03-Vb7Kq2'}${'Lx9TzR4mWc8Yp5dHs3fJg'}` },
  { kind: 'Payment service keys', example: `sk_${'live'}_${'4Vb7Kq2Lx9TzR4mWc8Yp5dHs'}` },
  {
    kind: 'Mail, chat and telephony tokens',
    example: `xoxb-${'123456789012-123456789012'}-${'Vb7Kq2Lx9TzR4mWc8Yp5dHs3'}`,
  },
  {
    kind: 'Signed tokens (JWT)',
    example: `${'eyJhbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxMjM0NTY3ODkwIn0'}.${'dBjftJeZ4CVPmB92K27uhbUJU1p1r2wW1gFWFOEjXk'}`,
  },
  { kind: 'Values with a secret’s name, such as DB_PASSWORD', example: 'DB_PASSWORD=Tz9mK4wQ7x' },
  { kind: 'Passwords in addresses', example: 'postgres://shop:Tz9mK4wQ7x@db.example.com/shop' },
  { kind: 'Authorization headers', example: `Authorization: Bearer ${'Vb7Kq2Lx9TzR4mWc8Yp5dHs3fJg1aTe6'}` },
  {
    kind: 'Private keys',
    example: `-----BEGIN ${'PRIVATE'} KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END ${'PRIVATE'} KEY-----`,
  },
]

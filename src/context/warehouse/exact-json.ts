/** Parses JSON with 64-bit integers, which JavaScript's parser would round. Throws for invalid JSON. */
export function parseExactly<T>(text: string): T {
  const exact = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '') ? BigInt(source!) : value
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as T
}

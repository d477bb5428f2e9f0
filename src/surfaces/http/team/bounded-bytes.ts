/**
 * The bytes of a body read before authentication; undefined if it is too large, whatever its declared length. Bytes
 * that arrive after `patience` milliseconds are left out, so that the sender's signature does not match.
 */
export async function boundedBytes(
  { body, headers }: Request,
  { largest, patience }: { readonly largest: number; readonly patience?: number },
): Promise<Buffer | undefined> {
  if (Number(headers.get('content-length') ?? 0) > largest) return undefined
  const reader = body?.getReader()
  const timer = patience === undefined ? undefined : setTimeout(() => void reader?.cancel().catch(() => {}), patience)
  const chunks: Uint8Array[] = []
  try {
    for (let size = 0; ;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done || value === undefined) return Buffer.concat(chunks)
      size += value.length
      if (size > largest) {
        await reader?.cancel()
        return undefined
      }
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until a condition is true; the time limit only ends a test that fails. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  limit = 90_000,
): Promise<T> {
  for (const end = Date.now() + limit; ;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Waits until something holds. The limit is only there so that a failure ends. */
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

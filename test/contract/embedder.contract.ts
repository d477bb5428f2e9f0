import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cosine } from '../../src/retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../../src/retrieval/ports/embedder.ts'

/**
 * Contract of every embedder. `knownGaps` lists rules that the subject breaks, with the reason; a stale entry fails.
 */
export function describeEmbedder(
  name: string,
  subject: { open(): Promise<Embedder>; knownGaps?: Record<string, string> },
): void {
  const rule = (title: string, body: () => Promise<void>) =>
    (subject.knownGaps?.[title] ? test.fails : test)(title, body)

  describe(`embedder: ${name}`, () => {
    let embedder: Embedder
    beforeAll(async () => {
      embedder = await subject.open()
    })
    afterAll(() => embedder.close())

    const one = async (text: string, purpose: 'query' | 'document' = 'document') =>
      (await embedder.embed([text], purpose))[0] as Float32Array

    rule('has an id and a number of dimensions', async () => {
      expect(embedder.id).toMatch(/^[a-z0-9][\w.:/-]+$/i)
      expect(embedder.dimensions).toBeGreaterThan(0)
      expect(await one('a vector')).toHaveLength(embedder.dimensions)
    })

    rule('vectors have unit length', async () => {
      for (const text of [
        'short',
        'We keep every row and only mark it as deleted.',
        'x'.repeat(40),
        'const a = await getUserName()',
      ]) {
        expect(Math.hypot(...(await one(text)))).toBeCloseTo(1, 4)
      }
    })

    rule('returns the zero vector for text without words', async () => {
      for (const text of ['', '   \n', '--- *** ---'])
        expect(await one(text)).toEqual(new Float32Array(embedder.dimensions))
    })

    rule('returns one vector per text, in order, whatever else is in the batch', async () => {
      const texts = ['cache', '', 'postgres database', 'cache', 'deploy on friday']
      const together = await embedder.embed(texts, 'document')
      for (const [i, text] of texts.entries())
        expect(cosine(together[i] as Float32Array, await one(text))).toBeCloseTo(text ? 1 : 0, 4)
      expect(await embedder.embed([], 'query')).toEqual([])
    })

    rule('returns the same vector for the same text, also after reopening', async () => {
      const other = await subject.open()
      const [again] = (await other.embed(['Sessions expire after a day.'], 'document')) as [Float32Array]
      await other.close()
      expect(await one('Sessions expire after a day.')).toEqual(again)
    })

    rule('ranks by meaning, not by shared words', async () => {
      const query = await one('how do we sign people in', 'query')
      const login = await one('Authentication: users log in with a password and a second factor.')
      const cats = await one('The invoice total is rounded to whole cents.')
      expect(cosine(query, login)).toBeGreaterThan(cosine(query, cats) + 0.05)
    })

    rule('accepts very long text and unusual characters', async () => {
      const long = await one('database migration '.repeat(50_000))
      expect(Math.hypot(...long)).toBeCloseTo(1, 4)
      expect(await one('\u0000\ud800 résumé 日本語 🚀')).toHaveLength(embedder.dimensions)
    })

    rule('has a usable calibration', async () => {
      if (!embedder.calibration) return
      const { beta, noise, strong, weight } = embedder.calibration
      expect(weight).toBeGreaterThan(0)
      expect(beta).toBeGreaterThan(0)
      expect(noise).toBeLessThan(strong)
      expect(strong).toBeLessThan(1 + beta)
    })
  })
}

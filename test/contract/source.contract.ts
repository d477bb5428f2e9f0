import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Source, SourceItem } from '../../src/context/ports/source.ts'

/** A source with two items, whose texts contain `first words` and `second words`. */
export interface SourceSubject {
  /** Reopens it, as every build does. */
  open(): Promise<Source>
  /** Changes the first item, so that its text contains `other words`. */
  change(): Promise<void>
  /** Deletes the second item. */
  remove(): Promise<void>
  /** Makes the item unreadable from now on. */
  lose(): Promise<void>
  readonly secret: string
  close(): Promise<void>
}

/**
 * Contract of every source, in the order of a source's life. `knownGaps` lists rules that the subject breaks, with the
 * reason; a stale entry fails.
 */
export function describeSource(
  name: string,
  make: () => Promise<SourceSubject>,
  knownGaps: Readonly<Record<string, string>> = {},
): void {
  const rule = (title: string, body: () => Promise<void>) => (knownGaps[title] ? test.fails : test)(title, body)

  describe(`source: ${name}`, () => {
    let subject: SourceSubject
    beforeAll(async () => {
      subject = await make()
    })
    afterAll(() => subject?.close())

    /** One build: open, use, close. */
    const build = async <T>(work: (source: Source) => Promise<T>): Promise<T> => {
      const source = await subject.open()
      try {
        return await work(source)
      } finally {
        await source.close()
      }
    }
    const items = (): Promise<readonly SourceItem[]> => build(async (source) => (await source.list()).items)
    const textOf = async (source: Source, item: SourceItem): Promise<string> =>
      (await source.fetch(item)).documents.map(({ text }) => text).join('\n')
    const texts = (): Promise<Record<string, string>> =>
      build(async (source) => {
        const { items: listed } = await source.list()
        return Object.fromEntries(
          await Promise.all(listed.map(async (item) => [item.id, await textOf(source, item)] as const)),
        )
      })

    rule('lists every item once, with a title and a path inside the project', async () => {
      const listed = await items()
      expect(listed).toHaveLength(2)
      expect(new Set(listed.map(({ id }) => id)).size).toBe(2)
      for (const { title, path, fingerprint } of listed) {
        expect(title).not.toBe('')
        expect(fingerprint).not.toBe('')
        expect(path).toMatch(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+/)
      }
    })

    rule('fetches several items at once, each with its own text', async () => {
      const found = Object.values(await texts())
      expect(found.filter((text) => text.includes('first words'))).toHaveLength(1)
      expect(found.filter((text) => text.includes('second words'))).toHaveLength(1)
    })

    rule('writes documents to the folder of their item, or as the item itself', async () => {
      await build(async (source) => {
        for (const item of (await source.list()).items) {
          const { documents } = await source.fetch(item)
          expect(documents).not.toEqual([])
          for (const { name: file } of documents) expect(file).toMatch(/^(?:[\w-]+\.md)?$/)
          expect(new Set(documents.map(({ name: file }) => file)).size).toBe(documents.length)
        }
      })
    })

    rule('returns the same list and texts in the next build if nothing changed', async () => {
      expect(await items()).toEqual(await items())
      expect(await texts()).toEqual(await texts())
    })

    rule('keeps the id of a changed item, and changes no other fingerprint', async () => {
      const before = await items()
      await subject.change()
      const after = await items()
      expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
      const changed = after.filter((item) => before.find(({ id }) => id === item.id)!.fingerprint !== item.fingerprint)
      expect(changed).toHaveLength(1)
      expect((await texts())[changed[0]!.id]).toContain('other words')
    })

    rule('does not list removed items', async () => {
      await subject.remove()
      const listed = await items()
      expect(listed).toHaveLength(1)
      expect(Object.values(await texts())[0]).toContain('other words')
    })

    rule('fails rather than listing a part, without a secret in its message', async () => {
      await subject.lose()
      const error = await items().then(
        () => expect.unreachable('it should have failed'),
        (failure: unknown) => failure as Error,
      )
      expect(error).toMatchObject({ code: 'unavailable' })
      expect(error.message).not.toContain(subject.secret)
    })
  })
}

import { describe, expect, test } from 'vitest'
import { canMount, isRoot, openRefusedHome, type Refusal } from './refused-homes.ts'

const REFUSALS: readonly [Refusal, boolean][] = [
  ['read-only', canMount()],
  ['full', canMount()],
  ["someone else's", !isRoot || process.platform === 'linux'],
]

describe.each(REFUSALS)('a home that is %s', (refusal, canBe) => {
  test.skipIf(!canBe)(
    'can still be searched and read; a failed write prints one clear line',
    async () => {
      const home = await openRefusedHome(refusal)
      try {
        // Drops the note about the home's owner, which is printed each time; the tests check the rest.
        const ken = async (...argv: string[]) => {
          const { said, ...more } = await home.ken(...argv)
          return {
            ...more,
            said: said
              .split('\n')
              .filter((line) => !line.includes('belongs to another user'))
              .join('\n'),
          }
        }
        const found = await ken('search', 'payment queue', '--json')
        expect(found).toMatchObject({ code: 0, said: '' })
        expect(JSON.parse(found.out).results.map((one: { title: string }) => one.title)).toContain('Queue')
        expect(await ken('check', 'a cache in redis')).toMatchObject({ code: 0, said: '' })
        expect(await ken('memory-status')).toMatchObject({ code: 0, said: '' })
        for (const argv of [
          ['collection', 'add', 'more', '/tmp'],
          ['harvest'],
          ['propose', 'A title that says enough', '--rationale', `The reason is long enough. ${'x'.repeat(20_000)}`],
        ]) {
          const { code, said } = await ken(...argv)
          expect(code, `${argv[0]}: ${said}`).not.toBe(0)
          expect(said.trim().split('\n'), argv[0]).toHaveLength(1)
          expect(said, argv[0]).not.toMatch(/fault in Ken|E[A-Z]{4,}:|\.tmp/)
        }
      } finally {
        home.close()
      }
    },
    180_000,
  )
})

test.skipIf(!canMount())(
  'a home that cannot be created prints one clear line',
  async () => {
    const home = await openRefusedHome('a read-only place for a new home')
    try {
      expect(await home.ken('status')).toMatchObject({ code: 7, said: expect.stringContaining('KEN_HOME') })
    } finally {
      home.close()
    }
  },
  60_000,
)

test.skipIf(!canMount())(
  'a damaged index that cannot be rebuilt fails with a one-line reason',
  async () => {
    const home = await openRefusedHome('read-only with a damaged index')
    try {
      const { code, said } = await home.ken('search', 'payment queue')
      expect(code).toBe(7)
      expect(said).toMatch(/^ken: The index cannot be trusted, because .*, and cannot be rebuilt: .*\n$/)
      expect(await home.ken('check', 'a cache in redis')).toMatchObject({ code: 0 })
    } finally {
      home.close()
    }
  },
  120_000,
)

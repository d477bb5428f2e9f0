import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/domain/errors.ts'
import { head } from '../../src/kernel/domain/text.ts'
import { CHECK_STOP_WORDS } from '../../src/kernel/domain/text/decision-tokens.ts'
import { indexText } from '../../src/record/domain/decision/decision-texts.ts'
import { parseDecision } from '../../src/record/domain/decision/parse.ts'
import { makeSnapshot } from '../../src/record/domain/snapshot/snapshot.ts'
import type { Draft, RankQuery, Store } from '../../src/record/ports/store.ts'
import { rankBm25 } from '../../src/retrieval/domain/ranking/bm25.ts'
import type { Embedder } from '../../src/retrieval/ports/embedder.ts'
import { decisionFile } from './decision-text.ts'
import { describeTaking } from './store-taking.contract.ts'
import { wordEmbedder } from './word-embedder.ts'

export interface StoreSubject {
  /** A store over these files, which are in no journal yet. */
  open(
    files: Readonly<Record<string, string>>,
    options?: { embedder?: () => Promise<Embedder | undefined> },
  ): Promise<Store>
  /** Whether it keeps every state of a file, not only those of snapshots. */
  readonly keepsEveryState?: boolean
  /** Rules that this back end does not keep, each with the reason; remove an entry once the rule is kept. */
  readonly knownGaps?: Readonly<Record<string, string>>
}

const ORIGIN = { surface: 'cli', client: 'contract' } as const
const ASK: Omit<RankQuery, 'text'> = { limit: 5, among: 'active', check: false }

/** Contract of src/record/ports/store.ts for every back end. */
export function describeStore(name: string, subject: StoreSubject): void {
  const opened: Store[] = []
  const rule = (title: string, body: () => Promise<void>) =>
    (subject.knownGaps?.[title] ? test.fails : test)(title, body)
  const open: StoreSubject['open'] = async (files, options) => {
    const store = await subject.open(files, options)
    opened.push(store)
    return store
  }
  const write = (store: Store, files: Readonly<Record<string, string>>, more?: (draft: Draft) => void) =>
    store.commit(ORIGIN, async (draft) => {
      for (const [path, text] of Object.entries(files)) draft.write(path, text)
      more?.(draft)
    })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
  })

  describe(`${name}: changes`, () => {
    rule('a change can be read once it has returned', async () => {
      const store = await open({})
      const answer = await store.commit(ORIGIN, async (draft) => {
        draft.write('project.md', '# Ken\n')
        draft.write('context/ünïcode 名前.md', 'ok')
        return 42
      })
      expect(answer).toBe(42)
      expect(await store.read('project.md')).toBe('# Ken\n')
      expect(await store.read('context/ünïcode 名前.md')).toBe('ok')
      expect(await store.read('stack.md')).toBeUndefined()
    })

    rule('line ends are always read as \\n', async () => {
      const store = await open({ 'stack.md': 'a\r\nb\rc\n' })
      await write(store, { 'project.md': 'x\r\ny\r\n' })
      expect([await store.read('project.md'), await store.read('stack.md')]).toEqual(['x\ny\n', 'a\nb\nc\n'])
      expect(await store.verify()).toEqual([])
    })

    rule('an error of the work is rethrown, and nothing has changed', async () => {
      const store = await open({ 'project.md': 'before' })
      const failure = store.commit(ORIGIN, async (draft) => {
        draft.write('project.md', 'after')
        draft.remove('project.md')
        draft.snapshot('never')
        throw new RangeError('no')
      })
      await expect(failure).rejects.toThrow(RangeError)
      expect(await store.read('project.md')).toBe('before')
      expect(await store.journal()).toEqual([])
      expect(await store.snapshots.list()).toEqual([])
    })

    rule('a draft reads its own writes, which others see only after the commit', async () => {
      const store = await open({ 'stack.md': 'old' })
      await store.commit(ORIGIN, async (draft) => {
        draft.write('stack.md', 'new')
        draft.write('project.md', 'p')
        draft.remove('project.md')
        expect([await draft.read('stack.md'), await draft.read('project.md')]).toEqual(['new', undefined])
        expect(await store.read('stack.md')).toBe('old')
      })
      expect([await store.read('stack.md'), await store.read('project.md')]).toEqual(['new', undefined])
    })

    rule('concurrent changes run one after the other', async () => {
      const store = await open({})
      const numbers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          store.commit(ORIGIN, async (draft) => {
            const num = Math.max(0, ...(await draft.catalogue()).decisions.map((d) => d.num)) + 1
            draft.write(...decisionFile(num, `Decision of writer ${i}`))
            return num
          }),
        ),
      )
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
      expect((await store.catalogue()).decisions.map((d) => d.num)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    })

    rule('a removed file is gone, and removing a missing file changes nothing', async () => {
      const store = await open({ 'stack.md': 's' })
      await store.commit(ORIGIN, async (draft) => {
        draft.remove('stack.md')
        draft.remove('nothing.md')
      })
      expect(await store.read('stack.md')).toBeUndefined()
      expect((await store.journal()).at(-1)!.files).toEqual({ 'stack.md': null })
      expect(await store.verify()).toEqual([])
    })

    for (const path of [
      '../outside.md',
      '/etc/passwd',
      'decisions/../../x.md',
      'a//b.md',
      './a.md',
      'a\\b.md',
      '',
      'nul\0l.md',
      'half\ud83d.md',
      '.txn/lock',
      '.git/config',
    ]) {
      rule(`the path ${JSON.stringify(path)} is refused, and nothing of its change lands`, async () => {
        const store = await open({})
        await expect(store.read(path)).rejects.toMatchObject({ code: 'forbidden' })
        await expect(write(store, { 'project.md': 'x', [path]: 'y' })).rejects.toMatchObject({ code: 'forbidden' })
        expect(await store.read('project.md')).toBeUndefined()
      })
    }

    for (const path of ['journal/events.jsonl', 'snapshots/v001.json', 'Journal/x.md']) {
      rule(`no change may write ${path} itself`, async () => {
        await expect(write(await open({}), { [path]: '{}' })).rejects.toThrow(AppError)
      })
    }

    rule('a draft refuses writes once its change has ended', async () => {
      const store = await open({})
      const kept = await store.commit(ORIGIN, async (draft) => draft)
      expect(() => kept.write('project.md', 'late')).toThrow(AppError)
    })
  })

  describe(`${name}: contents`, () => {
    rule('decisions are listed by number, then name, and unreadable files separately', async () => {
      const store = await open({
        ...Object.fromEntries([decisionFile(10, 'Tenth'), decisionFile(2, 'Beta'), decisionFile(2, 'Alpha')]),
        'decisions/003-broken.md': 'not a decision',
        'decisions/readme.txt': 'ignored',
        'decisions/.#004-x.md': 'ignored',
      })
      const { decisions, unreadable } = await store.catalogue()
      expect(decisions.map((d) => d.stem)).toEqual(['002-alpha', '002-beta', '010-tenth'])
      expect(unreadable).toEqual([
        { path: 'decisions/003-broken.md', kind: 'frontmatter', message: expect.any(String) },
      ])
      expect(decisions[0]).toMatchObject({
        num: 2,
        title: 'Alpha',
        status: 'active',
        supersedes: null,
        files_affected: [],
      })
    })

    rule('files are listed in the order root, decisions, context, and no others', async () => {
      const store = await open({
        'stack.md': '',
        'context/b.md': '',
        'decisions/001-a.md': '',
        'open-questions.md': '',
        'context/a.md': '',
        '.decision-hashes.json': '{}',
        'x.json': '{}',
      })
      expect(await store.list()).toEqual([
        'open-questions.md',
        'stack.md',
        'decisions/001-a.md',
        'context/a.md',
        'context/b.md',
      ])
    })

    rule('the catalogue of a draft does not change after its start', async () => {
      const store = await open(Object.fromEntries([decisionFile(1, 'One')]))
      await store.commit(ORIGIN, async (draft) => {
        draft.write(...decisionFile(2, 'Two'))
        expect((await draft.catalogue()).decisions.map((d) => d.num)).toEqual([1])
      })
      expect((await store.catalogue()).decisions.map((d) => d.num)).toEqual([1, 2])
    })
  })

  describe(`${name}: journal`, () => {
    rule('every change is journalled with its author, operation and file hashes', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'é\n' }, (draft) => draft.note('init', { why: 'test' }))
      await write(store, { 'stack.md': 's' })
      const [first, second] = await store.journal()
      expect(first).toMatchObject({
        event_version: 1,
        operation: 'init',
        origin: ORIGIN,
        facts: { why: 'test' },
        files: { 'project.md': sha256('é\n') },
      })
      expect(second).toMatchObject({ operation: 'edit', files: { 'stack.md': sha256('s') }, after: [first!.id] })
      expect(Date.parse(second!.at)).toBeGreaterThan(Date.parse(first!.at))
    })

    rule('a note without files is journalled, and an empty change is not', async () => {
      const store = await open({})
      await write(store, {})
      await write(store, {}, (draft) => draft.note('looked', {}))
      expect((await store.journal()).map((e) => [e.operation, e.files])).toEqual([['looked', {}]])
    })

    rule('a change takes only one note', async () => {
      const store = await open({})
      const twice = write(store, { 'project.md': 'x' }, (draft) => {
        draft.note('one', {})
        draft.note('two', {})
      })
      await expect(twice).rejects.toThrow(AppError)
      expect(await store.read('project.md')).toBeUndefined()
    })

    rule('a record without a journal verifies, is adopted with its first change, and still verifies', async () => {
      const store = await open({ 'project.md': 'p', 'decisions/001-x.md': 'nonsense', '.decision-hashes.json': '{}' })
      expect(await store.verify()).toEqual([])
      await write(store, { 'stack.md': 's' })
      expect(await store.verify()).toEqual([])
      const [adopted] = await store.journal()
      expect(adopted).toMatchObject({
        operation: 'adopt',
        files: { 'project.md': sha256('p'), '.decision-hashes.json': sha256('{}') },
      })
    })
  })

  describe(`${name}: snapshots`, () => {
    rule('a snapshot contains the record after its change, in the file format', async () => {
      const store = await open({
        'project.md': '# é\n',
        'context/brief.md': 'not in it',
        '.decision-hashes.json': '{}',
      })
      const [path, text] = decisionFile(1, 'One')
      await write(store, { [path]: text, 'stack.md': 's' }, (draft) => draft.snapshot('decision: one', 'more'))
      const [info] = await store.snapshots.list()
      const files = { 'project.md': '# é\n', 'stack.md': 's', [path]: text }
      const expected = makeSnapshot({
        version: 1,
        timestamp: info!.timestamp,
        trigger: 'decision: one',
        trigger_detail: 'more',
        files,
      })
      expect(await store.snapshots.read(1)).toEqual(expected)
      expect(Object.keys((await store.snapshots.read(1))!.files)).toEqual(Object.keys(files))
      expect(info).toEqual({
        version: 1,
        timestamp: expected.timestamp,
        trigger: 'decision: one',
        trigger_detail: 'more',
        token_count: expected.token_count,
        decisions: 1,
      })
      expect(await store.snapshots.read(2)).toBeUndefined()
    })

    rule('each of many snapshots is returned unchanged', async () => {
      const store = await open({ 'project.md': 'p\n' })
      const expected: Record<string, string>[] = []
      const now: Record<string, string> = { 'project.md': 'p\n' }
      for (let n = 1; n <= 30; n++) {
        const [path, text] = decisionFile(n, `Number ${n}`, { rationale: `Reason ${n} 🙂 `.repeat(n) })
        const changes: Record<string, string> = {
          [path]: text,
          'state_history.md': `${now['state_history.md'] ?? ''}## ${n}\n\n- 🙂🙃${n}\n`,
        }
        Object.assign(now, changes)
        const gone = n % 7 === 0 ? Object.keys(now).find((p) => p.startsWith('decisions/'))! : undefined
        if (gone !== undefined) delete now[gone]
        await write(store, changes, (draft) => {
          if (gone !== undefined) draft.remove(gone)
          if (n % 3 > 0) draft.snapshot(`n${n}`)
        })
        if (n % 3 > 0) expected.push({ ...now })
      }
      const list = await store.snapshots.list()
      expect(list).toHaveLength(expected.length)
      for (const [i, { version, token_count, decisions }] of list.entries()) {
        const snapshot = (await store.snapshots.read(version))!
        expect(snapshot.files).toEqual(expected[i])
        expect({ token_count, decisions }).toEqual({
          token_count: makeSnapshot({ timestamp: 't', trigger: '', files: expected[i]! }).token_count,
          decisions: Object.keys(expected[i]!).filter((p) => p.startsWith('decisions/')).length,
        })
      }
    })
  })

  describe(`${name}: care`, () => {
    const shout = async (text: string) => text.replaceAll('quiet', 'LOUD!')

    rule('the last journalled text is returned from a snapshot that contains exactly it', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'one' }, (draft) => draft.snapshot('first'))
      await write(store, { 'project.md': 'two' }, (draft) => draft.snapshot('second'))
      expect(await store.care.lastKnown('project.md')).toEqual({ text: 'two', holder: 'snapshot v002' })
      await write(store, { 'project.md': 'three' })
      expect(await store.care.lastKnown('project.md')).toEqual(
        subject.keepsEveryState ? { text: 'three', holder: 'revision 3' } : undefined,
      )
      expect([await store.care.newestSnapshot('project.md'), await store.care.newestSnapshot('other.md')]).toEqual([
        2,
        undefined,
      ])
    })

    rule('a rewrite changes every text, including the past, and the record still verifies', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'a quiet start', 'context/brief.md': 'quiet' }, (draft) => {
        draft.note('init', { why: 'quiet please', quiet: ['quiet'] })
        draft.snapshot('quiet one', 'quiet detail')
      })
      await write(store, { 'project.md': 'now gone' }, (draft) => draft.snapshot('second'))
      const seen: string[] = []
      await store.care.readThrough(async (text) => void seen.push(text))
      expect(seen.filter((text) => text.includes('quiet')).length).toBeGreaterThan(2)
      const { files, dropped } = await store.care.rewrite(ORIGIN, {
        operation: 'shout',
        facts: { n: 1 },
        change: shout,
        rename: (path) => path.replace('brief', 'short'),
      })
      expect([files.includes('context/short.md'), dropped]).toEqual([true, 0])
      for await (const { path, text } of store.care.everything())
        expect([path, text.includes('quiet')]).toEqual([path, false])
      expect([
        await store.read('context/short.md'),
        await store.read('context/brief.md'),
        await store.read('project.md'),
      ]).toEqual(['LOUD!', undefined, 'now gone'])
      expect((await store.snapshots.read(1))!).toMatchObject({
        trigger: 'LOUD! one',
        trigger_detail: 'LOUD! detail',
        files: { 'project.md': 'a LOUD! start' },
      })
      const events = await store.journal()
      expect(events[0]).toMatchObject({
        facts: { why: 'LOUD! please', 'LOUD!': ['LOUD!'] },
        files: { 'project.md': sha256('a LOUD! start'), 'context/short.md': sha256('LOUD!') },
      })
      expect(events.at(-1)).toMatchObject({ operation: 'shout', facts: { n: 1 } })
      expect(await store.verify()).toEqual([])
      await write(store, { 'stack.md': 's' }, (draft) => draft.snapshot('third'))
      expect((await store.snapshots.read(3))!.files).toEqual({ 'project.md': 'now gone', 'stack.md': 's' })
      expect(await store.verify()).toEqual([])
    })

    rule('a rewrite without changes leaves no trace', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'p' })
      const before = await store.journal()
      expect(
        await store.care.rewrite(ORIGIN, { operation: 'shout', facts: {}, change: shout, rename: (path) => path }),
      ).toEqual({ files: [], dropped: 0 })
      expect(await store.journal()).toEqual(before)
    })
  })

  describe(`${name}: history`, () => {
    rule('every stored text is returned by its hash, and never another', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'one', 'stack.md': 'old' }, (draft) => draft.snapshot('first'))
      await write(store, { 'project.md': 'two' })
      await write(store, { 'project.md': 'three' })
      await store.commit(ORIGIN, async (draft) => draft.remove('stack.md'))
      const had = (path: string, text: string) => store.history.texts(new Map([[path, sha256(text)]]))
      expect([...(await had('project.md', 'three'))]).toEqual([['project.md', 'three']])
      expect([...(await had('project.md', 'one'))]).toEqual([['project.md', 'one']])
      expect([...(await had('stack.md', 'old'))]).toEqual([['stack.md', 'old']])
      // The text `two` is in no snapshot.
      expect([...(await had('project.md', 'two'))]).toEqual(subject.keepsEveryState ? [['project.md', 'two']] : [])
      // A different file with the same text is not a match.
      expect((await had('other.md', 'one')).size).toBe(0)
      const many = new Map([
        ['project.md', sha256('one')],
        ['stack.md', sha256('old')],
        ['gone.md', sha256('x')],
      ])
      expect(new Map(await store.history.texts(many))).toEqual(
        new Map([
          ['project.md', 'one'],
          ['stack.md', 'old'],
        ]),
      )
    })

    rule('no commit contains the journal of a record outside git', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'p' })
      expect(await store.history.eventsIn('0'.repeat(40))).toBeUndefined()
    })
  })

  describeTaking(name, { rule, open, write })

  describe(`${name}: ranking`, () => {
    const corpus = golden<{ filename: string; text: string }, { status: string }>('bm25-corpus')
    const record = Object.fromEntries(corpus.map(({ input }) => [`decisions/${input.filename}`, input.text]))
    const active = corpus
      .map(({ input }) => parseDecision(input.text, input.filename))
      .filter((d) => d.status === 'active')

    rule('scores match every golden check to three decimals', async () => {
      const store = await open(record)
      for (const { input, expected } of golden<
        { proposed_approach: string; context: string | null },
        { ranked: [number, number][] }
      >('check-facts')) {
        const whole = input.context === null ? input.proposed_approach : `${input.proposed_approach} ${input.context}`
        const text = `${head(input.proposed_approach, 100)}. ${head(whole, 200)}`
        const { hits } = await store.rank({ text, limit: 5, among: 'active', check: true })
        expect(hits.filter((hit) => hit.score > 0).map((hit) => hit.score)).toEqual(
          expected.ranked.map(([, score]) => score),
        )
      }
    })

    rule('scores match every golden search to three decimals', async () => {
      const store = await open(record)
      for (const { input, expected } of golden<{ query: string; top_k: number }, { stopwords_en: [number, number][] }>(
        'bm25-scores',
      )) {
        const { hits } = await store.rank({ text: input.query, limit: input.top_k, among: 'active', check: false })
        expect(hits.filter((hit) => hit.score > 0).map((hit) => hit.score)).toEqual(
          expected.stopwords_en.map(([, score]) => score),
        )
      }
    })

    rule('order, scores and coverage match the reference ranking, before and after texts change', async () => {
      const store = await open(record)
      const query = 'use a queue of background jobs in the database instead of a broker'
      const expectReference = async (texts: typeof active) => {
        const reference = rankBm25(texts.map(indexText), query, { limit: 8, stopWords: CHECK_STOP_WORDS })
        const { hits } = await store.rank({ text: query, limit: 8, among: 'active', check: true })
        expect(hits.filter((h) => h.score > 0).map((h) => [h.entry.num, h.score, h.coverage])).toEqual(
          reference.map((h) => [texts[h.index]!.num, h.score, h.coverage]),
        )
      }
      const without = active.filter((d) => !(d.num === 1 && d.title === 'Initial project setup'))
      await expectReference(without)
      const changed = without[10]!
      const text = changed.content.replace('## Decision\n', '## Decision\n\nUse a queue, use a broker, used queues.\n')
      const [, path] = Object.keys(record).flatMap((p, i) => (corpus[i]!.input.text === changed.content ? [p, p] : []))
      await write(store, { [path!]: text })
      await expectReference(
        without.map((d) => (d === changed ? parseDecision(text, path!.slice('decisions/'.length)) : d)),
      )
    })

    rule('superseded decisions are ranked only if all are requested', async () => {
      const store = await open(
        Object.fromEntries([
          decisionFile(1, 'Sessions in cookies', { status: 'superseded', superseded_by: '2' }),
          decisionFile(2, 'Sessions in the database', { supersedes: '1' }),
          decisionFile(3, 'Something else'),
        ]),
      )
      const found = async (among: 'active' | 'all') =>
        (await store.rank({ ...ASK, text: 'sessions', among })).hits.map((hit) => hit.entry.num)
      expect([await found('active'), await found('all')]).toEqual([[2], [1, 2]])
      await write(
        store,
        Object.fromEntries([
          decisionFile(2, 'Sessions in the database', { supersedes: '1', status: 'superseded', superseded_by: '3' }),
        ]),
      )
      expect([await found('active'), await found('all')]).toEqual([[], [1, 2]])
    })

    rule('the seed decision of a new record never answers a check, and counts in no frequency', async () => {
      const seed = decisionFile(1, 'Initial project setup', { rationale: 'Track decisions about queues.' })
      const others = [decisionFile(2, 'Queues for mail'), decisionFile(3, 'Caches for pages')]
      const [withSeed, without] = [
        await open(Object.fromEntries([seed, ...others])),
        await open(Object.fromEntries(others)),
      ]
      const [a, b] = await Promise.all(
        [withSeed, without].map((store) => store.rank({ ...ASK, text: 'queues', check: true })),
      )
      expect(a!.hits).toEqual(b!.hits)
      expect((await withSeed.rank({ ...ASK, text: 'queues' })).hits.map((hit) => hit.entry.num).toSorted()).toEqual([
        1, 2,
      ])
    })

    rule('a filter is applied before the cut and changes no score', async () => {
      const store = await open(record)
      const text = 'postgres database queue cache for orders'
      const all = (await store.rank({ ...ASK, text, limit: 60 })).hits.filter((hit) => hit.score > 0)
      const odd = await store.rank({ ...ASK, text, limit: 3, where: (entry) => entry.num % 2 === 1 })
      const wanted = all.filter((hit) => hit.entry.num % 2 === 1).slice(0, 3)
      expect(odd.hits.filter((hit) => hit.score > 0).map((hit) => [hit.entry.num, hit.score])).toEqual(
        wanted.map((hit) => [hit.entry.num, hit.score]),
      )
    })

    rule('a decision that matches only in a reason against an alternative follows with score 0', async () => {
      const store = await open(
        Object.fromEntries([
          decisionFile(1, 'Render invoices in the browser', {
            rejected: [{ name: 'Server rendering', reason: 'Fonts of the wkhtmltopdf binary are outdated.' }],
          }),
          decisionFile(2, 'Deploy wkhtmltopdf nowhere'),
          decisionFile(3, 'Mail through a provider'),
        ]),
      )
      const { hits, stages } = await store.rank({ ...ASK, text: 'wkhtmltopdf binary' })
      expect(hits.map((hit) => [hit.entry.num, hit.score > 0, hit.coverage > 0, hit.cosine])).toEqual([
        [2, true, true, null],
        [1, false, true, null],
      ])
      expect(stages).toEqual(['lexical', 'reasons'])
    })

    rule('returns no hits if nothing matches or the record is empty', async () => {
      expect((await (await open(record)).rank({ ...ASK, text: 'quantum chromodynamics lattice' })).hits).toEqual([])
      expect((await (await open({})).rank({ ...ASK, text: 'anything' })).hits).toEqual([])
      expect(
        (
          await (
            await open(Object.fromEntries([decisionFile(1, 'A', { rationale: 'a' })]))
          ).rank({ ...ASK, text: 'the of a' })
        ).hits,
      ).toEqual([])
    })
  })

  describe(`${name}: meaning`, () => {
    const files = Object.fromEntries([
      decisionFile(1, 'Redis for hot reads'),
      decisionFile(2, 'Kafka between services'),
      decisionFile(3, 'Passkeys for customers'),
      decisionFile(4, 'Memcached was tried', { status: 'superseded', superseded_by: '1' }),
    ])

    rule('decisions near in meaning rank above those that only share a word, with score 0', async () => {
      const store = await open(files, { embedder: async () => wordEmbedder() })
      const { hits, stages } = await store.rank({ ...ASK, text: 'caching of customers' })
      expect(hits.map((hit) => [hit.entry.num, hit.score > 0])).toEqual([
        [1, false],
        [3, true],
      ])
      expect(hits.map((hit) => hit.verdict)).toEqual(['strong', 'none'])
      expect(hits[0]!.relevance).toBeGreaterThan(hits[1]!.relevance)
      expect(stages).toEqual(['lexical', 'reasons', 'semantic'])
    })

    rule('meaning respects the filter and the corpus', async () => {
      const store = await open(files, { embedder: async () => wordEmbedder() })
      const found = async (query: Partial<RankQuery>) =>
        (await store.rank({ ...ASK, text: 'caching', ...query })).hits.map((hit) => hit.entry.num)
      expect(await found({})).toEqual([1])
      expect((await found({ among: 'all' })).toSorted()).toEqual([1, 4])
      expect(await found({ among: 'all', where: (entry) => entry.status === 'superseded' })).toEqual([4])
    })

    rule('superseded decisions are ranked beside active ones, with their successors, and change no score', async () => {
      for (const embedder of [undefined, async () => wordEmbedder()]) {
        const store = await open(files, embedder && { embedder })
        const ask = { ...ASK, text: 'memcached or redis' }
        const [plain, both] = [await store.rank(ask), await store.rank({ ...ask, superseded: 2 })]
        expect(both.hits).toEqual(plain.hits)
        expect(plain.superseded).toEqual([])
        expect(
          both.superseded.map(({ entry, successors }) => [entry.num, successors.map((hit) => hit.entry.num)]),
        ).toEqual([[4, [1]]])
      }
    })

    rule('a named decision gets a relevance whatever its rank', async () => {
      const store = await open(files, { embedder: async () => wordEmbedder() })
      const { hits, named } = await store.rank({
        ...ASK,
        text: 'caching',
        limit: 1,
        named: new Set(['003-passkeys-for-customers']),
      })
      expect([hits, named].map((list) => list.map(({ entry }) => entry.num))).toEqual([[1], [3]])
      expect(named[0]!.relevance).toBeLessThan(hits[0]!.relevance)
    })

    rule('a text is embedded once, until it changes', async () => {
      const calls: string[] = []
      const store = await open(files, { embedder: async () => wordEmbedder(calls) })
      await store.rank({ ...ASK, text: 'caching' })
      const before = calls.length
      await write(
        store,
        Object.fromEntries([decisionFile(2, 'Kafka between services', { rationale: 'Now it is a cache.' })]),
      )
      expect((await store.rank({ ...ASK, text: 'caching' })).hits.map((hit) => hit.entry.num)).toContain(2)
      expect(calls.slice(before).filter((call) => call.startsWith('document') && !call.includes('Kafka'))).toEqual([])
    })

    for (const [what, embedder] of [
      ['is not there', async () => undefined],
      ['cannot be loaded', async () => Promise.reject(new Error('no model'))],
      [
        'fails',
        async () => ({ ...wordEmbedder(), embed: async () => Promise.reject(new AppError('unavailable', 'down')) }),
      ],
    ] as const) {
      rule(`an embedder that ${what} leaves the answer of the words`, async () => {
        const [plain, store] = [await open(files), await open(files, { embedder })]
        const ask = { ...ASK, text: 'customers of redis' }
        expect(await store.rank(ask)).toEqual(await plain.rank(ask))
      })
    }
  })
}

function golden<I, E>(file: string): { name: string; input: I; expected: E }[] {
  return (
    JSON.parse(readFileSync(new URL(`../fixtures/golden/${file}.json`, import.meta.url), 'utf8')) as {
      cases: { name: string; input: I; expected: E }[]
    }
  ).cases
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

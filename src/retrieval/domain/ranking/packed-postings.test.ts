import { expect, test } from 'vitest'
import { analyse, appendTokens, newTokenList } from '../../../kernel/domain/text/analyse.ts'
import { eachTerm, MOST_LEAVES, openPacker } from './packed-postings.ts'

const tokensOf = (text: string) => {
  const tokens = newTokenList()
  appendTokens(text, tokens)
  return tokens
}

test('keeps every word in a process that has already seen many others', () => {
  analyse(Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}x`).join(' '))
  const packer = openPacker()
  packer.begin()
  packer.add(tokensOf('zebra okapi zebra'))
  packer.add(tokensOf('okapi quokka'))
  const found: Record<string, number[]> = {}
  const [part, ...others] = packer.pack()
  expect(others).toEqual([])
  for (const leaf of part!.leaves) eachTerm(leaf, (term, entries) => (found[term] = [...entries]))
  expect(found).toEqual({ zebra: [0x20000], okapi: [0x10000, 0x10001], quokka: [0x10001] })
})

test('packs in parts of a bounded number of words and chunks, and loses none', () => {
  const packer = openPacker()
  const word = (i: number) => [...String(i)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('o')
  const packed = (chunks: readonly string[]) => {
    packer.begin()
    for (const chunk of chunks) packer.add(tokensOf(chunk))
    return packer.pack()
  }
  const wordy = packed(
    Array.from({ length: 70 }, (_, at) =>
      Array.from({ length: 2_000 }, (_, i) => word(1_000_000 + at * 2_000 + i)).join(' '),
    ),
  )
  expect(wordy.reduce((sum, { chunks }) => sum + chunks, 0)).toBe(70)
  for (const { leaves } of wordy) expect(leaves.length).toBeLessThanOrEqual(MOST_LEAVES / 2)
  const words = new Set<string>()
  for (const { leaves } of wordy) for (const leaf of leaves) eachTerm(leaf, (term) => words.add(term))
  expect(words.size).toBe(140_000)
  const many = packed(Array.from({ length: 70_000 }, () => 'okapi'))
  expect(many.map(({ chunks }) => chunks)).toEqual([65_536, 4_464])
})

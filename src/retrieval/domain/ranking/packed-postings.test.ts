import { expect, test } from 'vitest'
import { analyse, appendTokens, newTokenList } from '../../../kernel/domain/text/analyse.ts'
import { eachTerm, openPacker } from './packed-postings.ts'

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
  for (const leaf of packer.pack().leaves) eachTerm(leaf, (term, entries) => (found[term] = [...entries]))
  expect(found).toEqual({ zebra: [0x20000], okapi: [0x10000, 0x10001], quokka: [0x10001] })
})

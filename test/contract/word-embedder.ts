import type { Embedder } from '../../src/retrieval/ports/embedder.ts'

const MEANINGS = [
  ['cache', 'caching', 'redis', 'memcached', 'remember'],
  ['queue', 'kafka', 'rabbitmq', 'messages', 'broker'],
  ['login', 'authentication', 'passwords', 'passkeys', 'signin'],
  ['database', 'postgres', 'mysql', 'tables', 'relational'],
]

/** An embedder with exactly four meanings: words with the same meaning are treated as the same word. */
export function wordEmbedder(calls: string[] = []): Embedder {
  return {
    id: 'words-1',
    dimensions: 16,
    calibration: { beta: 0.5, noise: 0.3, strong: 0.8, weight: 1.5 },
    async embed(texts, purpose) {
      calls.push(...texts.map((text) => `${purpose}: ${text}`))
      return texts.map(toVector)
    },
    knows: (word) => MEANINGS.some((words) => words.includes(word)),
    async close() {},
  }
}

function toVector(text: string): Float32Array {
  const vector = new Float32Array(16)
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word))
    if (meaning >= 0) vector[meaning]! += 1
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

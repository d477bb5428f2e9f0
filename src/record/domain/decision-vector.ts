import { type QuantizedVector, quantize } from '../../retrieval/domain/ranking/vector.ts'

// A larger weight does not find the right decision more often, and in a record of 300 mixed decisions it doubled chance
// relations: titles are short.
const TITLE = 0.1

/** One vector for the text and the title of a decision: its product with a query is the weighted mean of both cosines. */
export const decisionVector = (text: Float32Array, title: Float32Array): QuantizedVector =>
  quantize(text.map((value, i) => (1 - TITLE) * value + TITLE * title[i]!))

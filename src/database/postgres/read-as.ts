import type { CustomTypesConfig } from 'pg'

type Parse = (text: string) => unknown

/** Overrides how the driver parses values: counts as text, times as objects. */
const OWN: Readonly<Record<number, Parse>> = {
  // Counts and row ids: a number is exact up to nine quadrillion.
  20: Number,
  // A day, and a time without a zone, stay as written.
  1082: String,
  1114: String,
  1184: (text) => new Date(text).toISOString(),
}

export const readAs = ({ getTypeParser }: CustomTypesConfig): CustomTypesConfig['getTypeParser'] =>
  ((id: number, format?: 'text' | 'binary') => OWN[id] ?? getTypeParser(id, format as 'text')) as typeof getTypeParser

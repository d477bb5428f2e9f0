import type { CustomTypesConfig } from 'pg'

type Parse = (text: string) => unknown

/** How values come out of the driver where it has other habits: counts as text, times as objects. */
const OWN: Readonly<Record<number, Parse>> = {
  // Counts and ids of rows: a number is exact up to nine quadrillions.
  20: Number,
  // A day, and a time without a zone, are what they were written as.
  1082: String,
  1114: String,
  1184: (text) => new Date(text).toISOString(),
}

export const readAs = ({ getTypeParser }: CustomTypesConfig): CustomTypesConfig['getTypeParser'] =>
  ((id: number, format?: 'text' | 'binary') => OWN[id] ?? getTypeParser(id, format as 'text')) as typeof getTypeParser

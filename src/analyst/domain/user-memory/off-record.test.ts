import { expect, test } from 'vitest'
import { isOffRecord } from './off-record.ts'

test.each([
  "Don't remember this: I hate Mondays.",
  'Please do not save this, but my salary is low.',
  'I always skip lunch. Never write that down.',
  'This is not to be remembered: we always round up.',
  'That should not be stored. I prefer tea.',
  'Off the record, I always use tabs.',
  'Keep this out of your memory: I never test.',
  'Merk dir das bitte nicht: Ich hasse Montage.',
  'Das ist nicht zu speichern. Ich arbeite immer nachts.',
  'Ne retiens pas ça : je préfère le thé.',
  'No guardes esto: siempre uso tabs.',
])('"%s" is off the record', (text) => {
  expect(isOffRecord(text)).toBe(true)
})

test.each([
  "I don't remember this column. From now on show amounts in euros.",
  "Don't forget: always show euros.",
  'Remember this: I hate Mondays.',
  "Don't remember that I like tea any more.",
  'From now on, do not save charts as PNG.',
  'Never keep the query in the answer.',
  'We do not store that table in the lake; I always filter it out.',
])('"%s" is not off the record', (text) => {
  expect(isOffRecord(text)).toBe(false)
})

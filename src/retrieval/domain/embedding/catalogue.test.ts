import { expect, test } from 'vitest'
import { CATALOGUE, findModel } from './catalogue.ts'

const calibrated = CATALOGUE.flatMap(({ name, calibration }) => (calibration ? [{ name, ...calibration }] : []))

test.each(calibrated)('$name: noise is below strong, and both are cosines', ({ noise, strong, weight }) => {
  expect(0 <= noise && noise < strong && strong < 1).toBe(true)
  expect(weight).toBeGreaterThan(0)
  expect(weight).toBeLessThanOrEqual(1)
})

test('a model is found by its name, and its files are identified by their hashes', () => {
  for (const model of CATALOGUE) {
    expect(findModel(model.name)).toBe(model)
    for (const { sha256 } of model.files) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  }
  expect(findModel('nobody-made-it')).toBeUndefined()
})

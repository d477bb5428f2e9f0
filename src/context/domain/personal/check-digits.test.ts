import { expect, test } from 'vitest'
import {
  ibanLength,
  isAadhaar,
  isBelgianId,
  isBsn,
  isCard,
  isCpf,
  isEan,
  isFrenchId,
  isGermanTaxId,
  isItalianCode,
  isPesel,
  isSpanishId,
  isSwedishId,
  isSwissId,
} from './check-digits.ts'

// Each row has an example published by the issuer or a standard, and the same with one character changed.
test.each([
  ['a card', isCard, '4111111111111111', '4111111111111112'],
  ['a card of 15 digits', isCard, '378282246310005', '378282246310015'],
  ['a Spanish DNI', isSpanishId, '12345678Z', '12345678A'],
  ['a Spanish NIE', isSpanishId, 'X1234567L', 'X1234568L'],
  ['a French NIR', isFrenchId, '255081416802538', '255081416802539'],
  ['an Italian codice fiscale', isItalianCode, 'RSSMRA85T10A562S', 'RSSMRA85T10A562T'],
  ['a German tax id', isGermanTaxId, '86095742719', '86095742718'],
  ['a Polish PESEL', isPesel, '44051401359', '44051401358'],
  ['a Dutch BSN', isBsn, '111222333', '111222334'],
  ['a Brazilian CPF', isCpf, '52998224725', '52998224726'],
  ['an Indian Aadhaar', isAadhaar, '234123412346', '234123412347'],
  ['a Belgian number', isBelgianId, '85073003328', '85073003329'],
  ['a Swiss number', isSwissId, '7569217076985', '7569217076984'],
  ['a Swedish number', isSwedishId, '8112289874', '8112289875'],
  ['an article', isEan, '4006381333931', '4006381333932'],
])('%s is distinguished from a typo', (_what, accepts, right, wrong) => {
  expect(accepts(right)).toBe(true)
  expect(accepts(wrong)).toBe(false)
})

test('an IBAN has the length of its country and valid check digits', () => {
  expect(ibanLength('DE89370400440532013000ANDMORE')).toBe(22)
  expect(ibanLength('GB82WEST12345698765432')).toBe(22)
  expect(ibanLength('DE89370400440532013001')).toBeUndefined()
  expect(ibanLength('XX89370400440532013000')).toBeUndefined()
  expect(ibanLength('DE8937040044')).toBeUndefined()
})

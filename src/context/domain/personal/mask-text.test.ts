import { expect, test } from 'vitest'
import { maskCell } from './mask-cell.ts'
import { maskText } from './mask-text.ts'

test.each([
  ['write to jane.doe+x@sub.example.co.uk, please', 'write to [e-mail], please'],
  ['john(at)doe(dot)com or jane%40example.com', '[e-mail] or [e-mail]'],
  ['tel:+4915112345678', 'tel:[phone]'],
  ['Rückruf 030/1234567 oder (030) 7654321', 'Rückruf [phone] oder [phone]'],
  ['call 555-123-4567 x12', 'call [phone] x12'],
  ['01 23 45 67 89', '[phone]'],
  ['to DE89 3704 0044 0532 0130 00 and more', 'to [IBAN] and more'],
  ['card 4111-1111-1111-1111 exp 12/27', 'card [card] exp 12/27'],
  ['SSN 123-45-6789', 'SSN [national id]'],
  ['from 203.0.113.77 and 2001:db8:85a3::8a2e:370:7334', 'from [IP] and [IP]'],
  ['00:1A:2B:3C:4D:5E', '[device id]'],
  ['passport number: C01X00T47', 'passport number: [passport]'],
  ['geboren am 14.02.1979', 'geboren am [birth]'],
  ['lives at 12 Main St, Springfield', 'lives at [address], Springfield'],
  ['Musterstraße 12 in Berlin', '[address] in Berlin'],
  ['Anna Schmidt, Bob Jones and Mr. Okonkwo met', '[name], [name] and Mr. [name] met'],
  ['Spoke with Zanele Dlamini today', 'Spoke with [name] today'],
])('masks: %s', (text, masked) => {
  expect(maskText(text).text).toBe(masked)
})

test.each([
  'meeting at 10:30 on 2024-01-15, ref 2024-000123',
  'version 1.2.3.4 of 12.03.2024 08:15',
  'ISBN 978-3-16-148410-0, SKU AB-123456',
  'react@18.2.0, logo@2x.png, git@github.com:org/repo.git',
  'on 192.168.1.1 and 10.0.0.7',
  '9f1c2d3e-aaaa-4bbb-8ccc-1234567890ab',
  'sent from San Francisco with American Express',
  'std::vector and 12:30:45',
  '1 234 567 EUR between 100-200 and 300-400',
])('%s stays unchanged', (text) => {
  expect(maskText(text).text).toBe(text)
})

const NOWHERE = { subject: undefined, except: [] }

test('treats JSON keys and XML tags like column names', () => {
  expect(maskCell('{"customer":{"name":"Zed Q"},"score":3}', NOWHERE)).toBe('{"customer":{"name":"[name]"},"score":3}')
  expect(maskCell('{"product":{"name":"Zed Q"},"score":3}', NOWHERE)).toBe('{"product":{"name":"Zed Q"},"score":3}')
  expect(maskCell('[{"value":"+4915112345678"}]', NOWHERE)).toBe('[{"value":"[phone]"}]')
  expect(maskCell('<a><firstName>Zed</firstName><n>1</n></a>', NOWHERE)).toBe(
    '<a><firstName>[name]</firstName><n>1</n></a>',
  )
})

test('masks truncated JSON as far as it goes', () => {
  expect(maskCell('{"first_name":"Zed","mail":"zed@exam… [cut: 30,000 characters]', NOWHERE)).not.toContain('zed@')
  expect(maskCell('{"first_name":"Zed","x":[1,2', NOWHERE)).toBe('{"first_name":"[name]","x":[1,2')
})

test('hides bytes that decode to text with personal data', () => {
  const hex = String.raw`\x` + [...'write to zed@example.com'].map((char) => char.charCodeAt(0).toString(16)).join('')
  expect(maskCell(hex, NOWHERE)).toBe('[private]')
})

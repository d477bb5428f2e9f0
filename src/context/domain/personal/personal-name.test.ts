import { expect, test } from 'vitest'
import { personalByName } from './personal-name.ts'
import { subjectOf } from './table-subject.ts'

test.each([
  ['x', 'custEmailAddr', 'e-mail'],
  ['x', 'E_MAIL2', 'e-mail'],
  ['x', 'mail', 'e-mail'],
  ['users', 'mailing_street', 'address'],
  ['x', 'telno', 'phone'],
  ['x', 'mobile_number', 'phone'],
  ['x', 'FNAME', 'name'],
  ['x', 'Nachname', 'name'],
  ['x', 'prénom', 'name'],
  ['x', '姓名', 'name'],
  ['dim_customer_2024', 'name', 'name'],
  ['users', 'zip', 'address'],
  ['x', 'street', 'address'],
  ['x', 'geb_datum', 'birth'],
  ['x', 'ssn', 'national id'],
  ['x', 'steuer_id', 'national id'],
  ['x', 'passportNo', 'passport'],
  ['x', 'drivers_license', 'driving licence'],
  ['x', 'kfz_kennzeichen', 'plate'],
  ['x', 'iban', 'IBAN'],
  ['x', 'card_no', 'card'],
  ['x', 'client_ip', 'IP'],
  ['hosts', 'client_ip', 'IP'],
  ['x', 'imei', 'device id'],
  ['x', 'login', 'username'],
  ['employees', 'salary', 'pay'],
  ['patients', 'gender', 'sensitive'],
  ['users', 'longitude', 'whereabouts'],
])('%s.%s implies %s', (table, column, kind) => {
  expect(personalByName(column, subjectOf(table))).toBe(kind)
})

test.each([
  ['products', 'name'],
  ['countries', 'name'],
  ['companies', 'name'],
  ['rooms', 'room_full_name'],
  ['x', 'email_sent'],
  ['x', 'email_verified_at'],
  ['x', 'is_phone'],
  ['x', 'phone_type'],
  ['x', 'card_type'],
  ['x', 'login_count'],
  ['x', 'wallet_address'],
  ['hosts', 'ip_address'],
  ['servers', 'address'],
  ['stores', 'address'],
  ['stores', 'latitude'],
  ['suppliers', 'tax_id'],
  ['products', 'gender'],
  ['portfolio', 'description'],
  ['x', 'city'],
  ['x', 'hotel'],
  ['x', 'template_id'],
  ['drivers', 'raceId'],
  ['x', 'MailCity'],
  ['schools', 'MailStreet'],
])('%s.%s implies nothing personal', (table, column) => {
  expect(personalByName(column, subjectOf(table))).toBeUndefined()
})

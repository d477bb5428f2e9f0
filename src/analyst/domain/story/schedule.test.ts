import { expect, test } from 'vitest'
import { isDue, nextRun, readSchedule, sayCron } from './schedule.ts'

// A Wednesday, 11:20 in Berlin.
const NOW = new Date('2026-03-11T10:20:00Z')
const read = (text: string) => readSchedule(text, { timezone: 'Europe/Berlin', now: NOW })

test.each([
  ['every weekday at 8', '0 8 * * 1-5', 'Monday to Friday at 08:00'],
  ['Every weekday at 8.', '0 8 * * 1-5', 'Monday to Friday at 08:00'],
  ['weekdays 8am', '0 8 * * 1-5', 'Monday to Friday at 08:00'],
  ['each working day at 8:15', '15 8 * * 1-5', 'Monday to Friday at 08:15'],
  ['on business days at 6 p.m.', '0 18 * * 1-5', 'Monday to Friday at 18:00'],
  ['hourly', '0 * * * *', 'every hour'],
  ['every hour', '0 * * * *', 'every hour'],
  ['on the hour', '0 * * * *', 'every hour'],
  ['every hour at :15', '15 * * * *', 'every hour at 15 minutes past'],
  ['15 minutes past every hour', '15 * * * *', 'every hour at 15 minutes past'],
  ['every 2 hours', '0 */2 * * *', 'every 2 hours'],
  ['every other hour', '0 */2 * * *', 'every 2 hours'],
  ['every six hours', '0 */6 * * *', 'every 6 hours'],
  ['every 24 hours', '0 0 * * *', 'every day at 00:00'],
  ['every 5 minutes', '*/5 * * * *', 'every 5 minutes'],
  ['every 15 minutes', '*/15 * * * *', 'every 15 minutes'],
  ['every fifteen minutes', '*/15 * * * *', 'every 15 minutes'],
  ['every quarter of an hour', '*/15 * * * *', 'every 15 minutes'],
  ['every half hour', '*/30 * * * *', 'every 30 minutes'],
  ['twice an hour', '*/30 * * * *', 'every 30 minutes'],
  ['every 60 minutes', '0 * * * *', 'every hour'],
  ['every hour on weekdays between 9 and 17', '0 9-17 * * 1-5', 'Monday to Friday, every hour from 09:00 to 17:00'],
  ['hourly from 8am to 6pm monday to friday', '0 8-18 * * 1-5', 'Monday to Friday, every hour from 08:00 to 18:00'],
  ['every 15 minutes from 9 to 17', '*/15 9-16 * * *', 'every 15 minutes from 09:00 to 16:59'],
  ['daily', '0 8 * * *', 'every day at 08:00'],
  ['every day at 7:30', '30 7 * * *', 'every day at 07:30'],
  ['daily at 19h30', '30 19 * * *', 'every day at 19:30'],
  ['at 8 and 17', '0 8,17 * * *', 'every day at 08:00 and 17:00'],
  ['8:30am and 5:30pm', '30 8,17 * * *', 'every day at 08:30 and 17:30'],
  ['twice a day', '0 8,20 * * *', 'every day at 08:00 and 20:00'],
  ['every morning', '0 8 * * *', 'every day at 08:00'],
  ['every night at 11pm', '0 23 * * *', 'every day at 23:00'],
  ['at 9 in the evening', '0 21 * * *', 'every day at 21:00'],
  ['noon', '0 12 * * *', 'every day at 12:00'],
  ['midnight', '0 0 * * *', 'every day at 00:00'],
  ['every monday 9am', '0 9 * * 1', 'every Monday at 09:00'],
  ['mondays and thursdays at 17:00', '0 17 * * 1,4', 'every Monday and Thursday at 17:00'],
  ['every tues at 3pm', '0 15 * * 2', 'every Tuesday at 15:00'],
  ['tue, wed & fri at 6', '0 6 * * 2,3,5', 'every Tuesday, Wednesday and Friday at 06:00'],
  ['mon-fri 8:15', '15 8 * * 1-5', 'Monday to Friday at 08:15'],
  ['friday to monday at 9', '0 9 * * 0,1,5,6', 'every Monday, Friday, Saturday and Sunday at 09:00'],
  ['weekends at 10', '0 10 * * 0,6', 'every Saturday and Sunday at 10:00'],
  ['weekly', '0 8 * * 1', 'every Monday at 08:00'],
  ['once a week on sunday at 20:30', '30 20 * * 0', 'every Sunday at 20:30'],
  ['first of the month', '0 8 1 * *', 'the 1st of every month at 08:00'],
  ['monthly', '0 8 1 * *', 'the 1st of every month at 08:00'],
  ['on the 15th of every month at 6pm', '0 18 15 * *', 'the 15th of every month at 18:00'],
  ['the 1st and 15th of each month', '0 8 1,15 * *', 'the 1st and 15th of every month at 08:00'],
  ['monthly on the 3rd', '0 8 3 * *', 'the 3rd of every month at 08:00'],
  ['last day of the month', '0 8 L * *', 'the last day of every month at 08:00'],
  ['first monday of the month at 9', '0 9 * * 1#1', 'the first Monday of the month at 09:00'],
  ['last friday of the month', '0 8 * * 5#L', 'the last Friday of the month at 08:00'],
  ['quarterly', '0 8 1 1,4,7,10 *', 'the 1st of January, April, July and October at 08:00'],
  ['yearly', '0 8 1 1 *', 'the 1st of January at 08:00'],
  ['every year on march 3rd at 9', '0 9 3 3 *', 'the 3rd of March at 09:00'],
  ['0 8 * * 1-5', '0 8 * * 1-5', 'Monday to Friday at 08:00'],
  ['*/10 8-18 * * MON-FRI', '*/10 8-18 * * 1-5', 'Monday to Friday, every 10 minutes from 08:00 to 18:59'],
  ['2,58 9 * * *', '2,58 9 * * *', 'cron "2,58 9 * * *"'],
])('reads "%s" as %s', (text, cron, says) => {
  const understood = read(text)
  expect([understood.cron, understood.says]).toEqual([cron, says])
  expect(Date.parse(understood.next)).toBeGreaterThan(NOW.getTime())
})

test.each([
  ['', 'no schedule'],
  ['every', 'does not say when'],
  ['sometimes', 'not understood'],
  ['when the data changes', 'not understood'],
  ['jeden Montag', 'not understood'],
  ['every monday except holidays', 'except holidays'],
  ['not on mondays', '"not"'],
  ['every weekday at 8 or 9', '"or"'],
  ['every minute', 'more often than every 5 minutes'],
  ['every 2 minutes', 'more often than every 5 minutes'],
  ['every 10 seconds', 'more often than every 5 minutes'],
  ['* * * * *', 'more often than every 5 minutes'],
  ['58,2 * * * *', 'more often than every 5 minutes'],
  ['every 7 minutes', 'does not divide an hour'],
  ['every 90 minutes', 'does not divide an hour'],
  ['every 5 hours', 'does not divide a day'],
  ['every other monday', 'cannot be said'],
  ['every 2 weeks', 'cannot be said'],
  ['every 3 days', 'cannot be said'],
  ['every 2 mondays', 'cannot be said'],
  ['fortnightly', 'cannot be said'],
  ['8:00 and 17:30', 'same minute'],
  ['every 15 minutes at 9', 'both how often and at what time'],
  ['at 25', 'no time of the day'],
  ['13pm', 'no time of the day'],
  ['32nd of the month', 'No month has a day 32'],
  ['0 8 30 2 *', 'never comes'],
  ['61 * * * *', 'is no schedule'],
  ['0 8 * *', '4 fields'],
  ['0 0 8 * * 1', '6 fields'],
  ['every day at 8 Europe/Atlantis', 'no time zone'],
  [`every ${'day '.repeat(100)}`, 'too long'],
])('rejects "%s": %s', (text, reason) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(reason) }),
  )
})

test('times follow the zone through daylight saving changes', () => {
  const schedule = { cron: '0 8 * * *', timezone: 'Europe/Berlin' }
  expect(nextRun(schedule, new Date('2026-03-27T12:00:00Z'))?.toISOString()).toBe('2026-03-28T07:00:00.000Z')
  expect(nextRun(schedule, new Date('2026-03-28T12:00:00Z'))?.toISOString()).toBe('2026-03-29T06:00:00.000Z')
  expect(read('8am UTC')).toMatchObject({ timezone: 'UTC', next: '2026-03-12T08:00:00.000Z' })
})

test('a schedule is due from its minute onwards', () => {
  const schedule = { cron: '30 11 * * *', timezone: 'Europe/Berlin' }
  const due = (now: string) => isDue(schedule, NOW, new Date(now))
  expect(due('2026-03-11T10:29:59Z')).toBe(false)
  expect(due('2026-03-11T10:30:00Z')).toBe(true)
  expect(due('2026-03-20T00:00:00Z')).toBe(true)
})

test('shows the cron fields if there are no plain words for them', () => {
  expect(sayCron('0 8 1 * 1')).toBe('cron "0 8 1 * 1"')
  expect(sayCron('1-10/3 * * * *')).toBe('cron "1-10/3 * * * *"')
})

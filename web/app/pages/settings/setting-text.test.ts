import { expect, test } from 'vitest'
import { groupedSettings, settingText, shownSetting } from './setting-text.ts'

test('converts a value to the text of its input field, and to the text shown', () => {
  expect([['a', 'b'], true, 5, '', undefined].map(settingText)).toEqual(['a, b', 'true', '5', '', ''])
  expect([true, [], 'x'].map(shownSetting)).toEqual(['on', 'nothing', 'x'])
})

test('settings are found by name and description', () => {
  const settings = [
    { name: 'storage.maxSize', help: 'How much index and sessions may take.' },
    { name: 'storage.retention', help: 'How long a session is kept.' },
    { name: 'model.name', help: 'A language model.' },
  ]
  expect(groupedSettings(settings, '').map(([name, all]) => [name, all.length])).toEqual([
    ['storage', 2],
    ['model', 1],
  ])
  expect(groupedSettings(settings, 'SESSION kept')).toEqual([['storage', [settings[1]]]])
})

import type { Settings } from '../../kernel/ports/settings.ts'

/** A user's settings with some values overridden; nothing is written. */
export const withValues = (settings: Settings, values: Readonly<Record<string, unknown>>): Settings => ({
  ...settings,
  get: (name) => {
    const known = settings.get(name)
    return name in values ? { ...known, value: values[name] } : known
  },
})

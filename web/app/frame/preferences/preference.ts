import { keep, kept } from '../../kit/kept-text.ts'
import { Store, useStore } from '../../kit/store.ts'

/** A reader's preference, stored in this browser. Without storage it lasts as long as the page. */
export class Preference<T extends string> extends Store<T> {
  constructor(name: string, values: readonly T[], otherwise: T) {
    super(values.find((value) => value === kept(`ken.${name}`)) ?? otherwise)
    this.subscribe(() => keep(`ken.${name}`, this.get()))
  }
}

export const usePreference = <T extends string>(preference: Preference<T>): readonly [T, (value: T) => void] => [
  useStore(preference),
  preference.set,
]

/** Simulates a power cut between two steps. */
export class Fault extends Error {}

/**
 * Wraps objects and counts their calls together; call number `at` throws, either before it is made or afterwards, so
 * that only its response is lost.
 */
export function faulty(at: number, isBefore: boolean): <T extends object>(thing: T) => T {
  let calls = 0
  return function cut<T extends object>(thing: T): T {
    return new Proxy(thing, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown
        if (name === 'history') return cut(value as object)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          const isCut = calls++ === at
          if (isCut && isBefore) throw new Fault(String(name))
          const answer: unknown = await (value as (...given: unknown[]) => unknown).apply(target, given)
          if (isCut) throw new Fault(String(name))
          return answer
        }
      },
    })
  }
}

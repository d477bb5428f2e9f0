import { AppError } from '../../../kernel/domain/errors.ts'
import { installedVersion } from '../../../kernel/system/optional-package.ts'

/** The subset of onnxruntime-common that is used; both runtimes have it. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>
  }
  readonly Tensor: new (type: 'int64', values: BigInt64Array, shape: readonly number[]) => unknown
}

export interface OnnxSession {
  readonly inputNames: readonly string[]
  run(
    inputs: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, { readonly data: unknown; readonly dims: readonly number[] }>>>
  release(): Promise<void>
}

// The first is native and 15 times as fast; the second runs wherever Node runs. Neither is bundled, because they are
// large.
const PACKAGES = ['onnxruntime-node', 'onnxruntime-web'] as const

export async function loadOnnxRuntime(packages: readonly string[] = PACKAGES): Promise<OnnxRuntime> {
  let fault: unknown
  for (const name of packages.filter((each) => installedVersion(each) !== undefined)) {
    try {
      const loaded = (await import(name)) as OnnxRuntime & { readonly default?: OnnxRuntime }
      return loaded.default ?? loaded
    } catch (error) {
      // If one package is installed but does not load on this machine, the other is tried.
      fault ??= error
    }
  }
  throw new AppError(
    'unavailable',
    fault === undefined
      ? "A model in Ken's own process needs onnxruntime, which is not installed"
      : `onnxruntime does not load: ${firstLine(fault)}`,
    {
      hint: 'Install it beside Ken: npm install onnxruntime-node (with --global where Ken is global).',
      cause: fault,
    },
  )
}

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split('\n')[0]!

import { MODEL_PROVIDERS } from '../src/core/model-name.ts'
import { describeProvider } from './models/describe-provider.ts'

for (const provider of MODEL_PROVIDERS) describeProvider(provider)

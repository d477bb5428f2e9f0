import { COME_WITH_KEN, describeProvider } from './models/describe-provider.ts'

for (const provider of COME_WITH_KEN) describeProvider(provider)

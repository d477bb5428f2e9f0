import { describe, expect, test } from 'vitest'
import { wantedIds } from './mentions.ts'
import { thingsOfPackage } from './package-names.ts'

const WANTED = wantedIds(
  'redis mongodb kafka jwt graphql react go express jest orm kubernetes =zorkbas =fennelbus messagequeue'.split(' '),
)

describe('things implied by a package', () => {
  test.each([
    ['ioredis', ['redis']],
    ['@scope/redis-client', ['redis']],
    ['github.com/redis/go-redis/v9', ['redis']],
    ['redis.clients:jedis', ['redis']],
    ['celery[redis]', ['redis']],
    ['docker.io/library/redis', ['redis']],
    ['spring-boot-starter-data-mongodb', ['mongodb']],
    ['mongoose', ['mongodb', 'orm']],
    ['kafkajs', ['kafka', 'messagequeue']],
    ['jsonwebtoken', ['jwt']],
    ['System.IdentityModel.Tokens.Jwt', ['jwt']],
    ['@apollo/server', ['graphql']],
    ['@types/react', ['react']],
    ['express', ['express']],
    ['@types/jest', ['jest']],
    ['@prisma/client', ['orm']],
    ['zorkbase-driver', ['=zorkbas']],
    ['@fennelbus/client', ['=fennelbus']],
    ['react-native', []],
    ['preact', []],
    ['rediscover', []],
    ['express-delivery', []],
    ['go-to-definition', []],
    ['ngo', []],
  ])('%s', (name, expected) => expect(thingsOfPackage(name, WANTED).sort()).toEqual(expected))
})

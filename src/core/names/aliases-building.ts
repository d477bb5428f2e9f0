/** Protocols, frameworks, languages, tools and services that software is built with, in the form that aliases.ts describes. */
export const BUILDING = `
JWT | json web token, json web tokens, jwts, jsonwebtoken, json-web-token | jose pyjwt python-jose jjwt jjwt-api java-jwt nimbus-jose-jwt golang-jwt jwt-go dgrijalva/jwt-go ruby-jwt jwt-decode express-jwt passport-jwt fastify-jwt koa-jwt hono/jwt djangorestframework-simplejwt djangorestframework-jwt flask-jwt-extended flask-jwt fastapi-jwt-auth tymon/jwt-auth lcobucci/jwt firebase/php-jwt system.identitymodel.tokens.jwt microsoft.aspnetcore.authentication.jwtbearer authlib.jose jsonwebtokens next-auth-jwt lexik/jwt-authentication-bundle guardian
PASETO | | paseto-go pyseto
OAuth | oauth2, oauth 2, oauth 2.0 | oauthlib passport-oauth2 simple-oauth2 requests-oauthlib golang.org/x/oauth2 authlib omniauth spring-boot-starter-oauth2-client league/oauth2-client league/oauth2-server
OpenID Connect | oidc, openid | openid-client oidc-client oidc-client-ts mozilla-django-oidc go-oidc
SAML | saml2, saml 2.0 | passport-saml node-saml python3-saml pysaml2 ruby-saml saml2-js onelogin
LDAP | active directory | ldapjs ldapts python-ldap ldap3 go-ldap net-ldap
Auth0 | auth 0 | nextjs-auth0 auth0-react auth0-spa-js express-openid-connect
Okta | | okta-auth-js okta-sdk-python okta-react
Keycloak | key cloak | keycloak-js keycloak-connect python-keycloak gocloak
Cognito | amazon cognito, aws cognito | client-cognito-identity-provider amazon-cognito-identity-js aws_cognito_user_pool
Clerk | ~Clerk, clerk.dev | clerk-sdk-node clerkjs clerk-react @clerk/nextjs
NextAuth | next auth, next-auth, auth.js, authjs | 
Passport | ~Passport, passport.js, passportjs | passport-local passport-google-oauth20 ~passport
Devise | ~Devise | ~devise
bcrypt | b-crypt | bcryptjs py-bcrypt bcrypt-ruby jbcrypt bcrypt.net-next
argon2 | argon2id, argon 2 | argon2-cffi argon2-browser
scrypt | |
GraphQL | graph ql, gql, graphql api | apollo-server apollo-client apollo graphene strawberry-graphql ariadne gqlgen graphql-js graphql-yoga type-graphql urql relay-runtime react-relay hotchocolate graphql-java graphql-ruby absinthe juniper async-graphql mercurius hasura postgraphile dgs-framework netflix-dgs nexus-graphql lighthouse-php pothos
Apollo | ~Apollo, apollo graphql | apollo-server apollo-client @apollo/client @apollo/server
Relay | ~Relay | relay-runtime react-relay
gRPC | g-rpc, grpc-web, google rpc | grpc-js grpcio grpcio-tools grpc-go google.golang.org/grpc grpc-java grpc-netty tonic grpc.net.client grpc.aspnetcore connectrpc twirp
tRPC | t-rpc | trpc-server
protobuf | protocol buffers, protocol buffer, protobufs | protobufjs google.golang.org/protobuf google-protobuf protobuf-java prost protoc ts-proto
Thrift | ~Thrift, apache thrift | thriftpy2
Avro | apache avro | avsc fastavro avro-python3
SOAP | ~soap, soap api | strong-soap node-soap zeep spyne savon suds spring-ws
REST | ~rest, restful, rest api, rest apis, restful api, restful apis | djangorestframework spring-boot-starter-data-rest
OpenAPI | open api, swagger | swagger-ui-express drf-spectacular drf-yasg springdoc-openapi swashbuckle swagger-jsdoc
JSON-RPC | json rpc, jsonrpc | jayson
WebSockets | websocket, web socket, web sockets, wss | ws socket.io socketio websockets gorilla/websocket uwebsockets.js tungstenite tokio-tungstenite sockjs channels-redis actioncable faye-websocket spring-boot-starter-websocket
Socket.IO | socket io, socketio | socket.io-client python-socketio flask-socketio
server-sent events | sse, server sent event, eventsource, server-sent event | express-sse sse-starlette event-source-polyfill
WebRTC | web rtc | simple-peer aiortc pion/webrtc mediasoup livekit
webhooks | ~webhook, ~web hook | svix
long polling | long-polling, comet |
React | ~React, react.js, reactjs | react-dom react-router react-redux react-query react-scripts create-react-app next gatsby @remix-run/react
React Native | react-native | expo
Vue | vue.js, vuejs | vuex pinia vue-router nuxt vuetify quasar @vue/cli
Angular | angularjs, angular.js | @angular/core @angular/cli ngrx ng-bootstrap nx-angular
Svelte | sveltekit, svelte kit | @sveltejs/kit svelte-check
SolidJS | solid.js, solid js | solid-js solid-start
Preact | | preact-render-to-string
Ember | ~Ember, ember.js, emberjs | ember-source ember-cli ember-data
Backbone | ~Backbone, backbone.js, backbonejs | marionette
jQuery | j query | jquery-ui
Alpine.js | alpinejs |
htmx | | htmx.org django-htmx
Lit | ~Lit | lit-element lit-html
Stimulus | ~Stimulus | @hotwired/stimulus
Next.js | nextjs, ~Next | next-auth next-i18next ~next
Nuxt | nuxt.js, nuxtjs | nuxt3
Gatsby | gatsby.js | gatsby-plugin
Remix | ~Remix, remix run | @remix-run/node @remix-run/react
Astro | ~Astro | @astrojs/node @astrojs/react ~astro
Express | ~Express, express.js, expressjs | express-session express-validator ~express
Fastify | | fastify-plugin @fastify/cors
NestJS | nest.js, ~Nest | @nestjs/core @nestjs/common
Koa | koa.js | koa-router koa-bodyparser
Hapi | hapi.js | @hapi/hapi
Hono | | @hono/node-server
Django | | djangorestframework django-environ
Flask | ~Flask | flask-sqlalchemy flask-login flask-restful ~flask
FastAPI | fast api | fastapi-users
Tornado | ~Tornado | ~tornado
Rails | ~Rails, ruby on rails, ror | railties activerecord actionpack
Sinatra | | sinatra-contrib
Spring | ~Spring, spring framework | org.springframework spring-core spring-web spring-boot
Spring Boot | springboot | spring-boot-starter spring-boot-starter-web
Quarkus | | quarkus-resteasy
Micronaut | | micronaut-http-server
Laravel | | laravel/framework illuminate/support lumen
Symfony | | symfony/framework-bundle
Gin | ~Gin | gin-gonic gin-gonic/gin
Echo | ~Echo | labstack/echo
Fiber | ~Fiber | gofiber gofiber/fiber
Actix | actix web | actix-web
Axum | |
Rocket | ~Rocket, rocket.rs | ~rocket
Phoenix | ~Phoenix, phoenix framework | phoenix_live_view phoenix_html ~phoenix
ASP.NET | asp.net core, aspnet, aspnetcore | microsoft.aspnetcore.app
Electron | ~Electron, electron.js | electron-builder electron-forge
Tauri | | @tauri-apps/api
Flutter | ~Flutter | flutter_bloc flutter_test
Redux | redux toolkit, rtk | react-redux @reduxjs/toolkit redux-saga redux-thunk redux-toolkit
MobX | mob x | mobx-react mobx-react-lite
Zustand | |
Recoil | ~Recoil | ~recoil
Jotai | |
RxJS | rx.js, rx js | 
server-side rendering | ssr, server side rendering, server-side rendered, server rendering, server side rendered, server side render, server render |
single-page application | spa, single page app, single-page app, single page application |
micro frontends | micro frontend, microfrontends, microfrontend, micro-frontends | single-spa qiankun module-federation
microservices | microservice, micro services, micro-services, micro service |
monolith | ~monolith |
event sourcing | event-sourcing, event sourced | eventstore eventstoredb axon-framework
CQRS | command query responsibility segregation | @nestjs/cqrs
monorepo | mono repo, mono-repo | lerna turborepo nx
feature flags | feature flag, feature toggles, feature toggle | launchdarkly unleash flagsmith flipper growthbook
two-phase commit | 2pc, two phase commit |
content delivery network | cdn |
continuous integration | ci |
test-driven development | tdd |
domain-driven design | ddd |
role-based access control | rbac |
object storage | blob storage | s3 minio cloudstorage
multi-factor authentication | mfa, 2fa, two-factor authentication | otplib speakeasy pyotp django-otp
single sign-on | sso, single sign on |
ORM | orms, object-relational mapper, object relational mapper, object-relational mapping, object relational mapping | prisma typeorm sequelize drizzle mikro-orm objection bookshelf sqlalchemy sqlmodel peewee tortoise-orm pony gorm ent hibernate jpa activerecord diesel sea-orm entityframework doctrine eloquent ecto exposed mongoose
Prisma | | @prisma/client prisma-client prisma-client-py
TypeORM | type orm | 
Sequelize | | sequelize-cli sequelize-typescript
Drizzle | ~Drizzle, drizzle orm, drizzle-orm | drizzle-kit
MikroORM | mikro orm | @mikro-orm/core
Knex | knex.js | 
Kysely | |
SQLAlchemy | sql alchemy | flask-sqlalchemy sqlmodel alembic
GORM | | gorm.io gorm.io/gorm jinzhu/gorm
Hibernate | ~Hibernate | hibernate-core hibernate-orm nhibernate spring-boot-starter-data-jpa
JPA | java persistence api, jakarta persistence | spring-boot-starter-data-jpa spring-data-jpa jakarta.persistence eclipselink
ActiveRecord | active record | 
Diesel | ~Diesel, diesel.rs | diesel_migrations ~diesel
SeaORM | sea orm | sea-orm
Entity Framework | ef core, entity framework core, efcore | microsoft.entityframeworkcore entityframework
Dapper | ~Dapper | ~dapper
Doctrine | ~Doctrine | doctrine/orm doctrine/dbal
Eloquent | ~Eloquent | illuminate/database
stored procedures | stored procedure, sprocs, sproc |
NoSQL | no-sql, document database, document store | mongodb dynamodb couchdb couchbase cassandra firestore
TypeScript | type script | ts-node tsc tslib
JavaScript | java script, ecmascript |
CoffeeScript | coffee script | coffee-script
Python | ~Python, cpython, python3 | 
Ruby | ~Ruby |
Go | ~Go, golang, go lang | 
Rust | ~Rust, rustlang, rust lang | rustc
Java | ~Java | openjdk
Kotlin | | kotlinx kotlin-stdlib
Scala | | scala-library
Clojure | |
Elixir | ~Elixir |
Erlang | |
Swift | ~Swift, swiftui |
Dart | ~Dart |
PHP | |
Perl | |
C++ | cpp, c plus plus |
C# | csharp, c sharp |
F# | fsharp, f sharp |
Haskell | |
WebAssembly | wasm, web assembly | wasm-bindgen wasm-pack
Node.js | nodejs, node js, ~Node |
Deno | |
Bun | ~Bun | ~bun
Jest | ~Jest | ts-jest babel-jest jest-environment-jsdom @jest/globals ~jest
Vitest | | @vitest/ui @vitest/coverage-v8
Mocha | ~Mocha | ts-mocha ~mocha
Jasmine | ~Jasmine | jasmine-core karma-jasmine ~jasmine
Karma | ~Karma | karma-chrome-launcher ~karma
Cypress | ~Cypress | @cypress/react ~cypress
Playwright | | @playwright/test playwright-core pytest-playwright microsoft.playwright
Puppeteer | ~Puppeteer | puppeteer-core pyppeteer
Selenium | selenium webdriver, selenium grid | selenium-webdriver selenium-java webdriverio
Enzyme | ~Enzyme | enzyme-adapter-react-16 ~enzyme
Testing Library | react testing library, rtl | @testing-library/react
pytest | py.test | pytest-cov pytest-asyncio pytest-mock
JUnit | j unit | junit-jupiter junit-jupiter-api
Mockito | | mockito-core
TestNG | |
GoogleTest | google test, gtest | gmock gtest-main
RSpec | | rspec-rails rspec-core
Minitest | |
Cucumber | ~Cucumber, gherkin | cucumber-js @cucumber/cucumber cucumber-java behave
Storybook | | @storybook/react
Testcontainers | test containers | testcontainers-go
Webpack | web pack | webpack-cli webpack-dev-server html-webpack-plugin ts-loader babel-loader
Vite | ~Vite, vitejs | @vitejs/plugin-react vite-plugin
Rollup | rollup.js | @rollup/plugin-node-resolve
Parcel | ~Parcel, parceljs | ~parcel
esbuild | es build | esbuild-loader
SWC | | @swc/core @swc/cli
Babel | ~Babel | @babel/core babel-loader babel-cli @babel/preset-env
Gulp | ~Gulp | gulp-cli ~gulp
Grunt | ~Grunt | grunt-cli ~grunt
Turborepo | turbo repo | turbo
Nx | | @nx/js nrwl
Lerna | |
Bazel | | rules_nodejs rules_go
Maven | apache maven | maven-compiler-plugin
Gradle | | gradlew
Make | ~Make, makefile, gnu make |
CMake | |
npm | npm registry | npm-cli
Yarn | ~Yarn | yarnpkg
pnpm | |
pip | | pip-tools
Poetry | ~Poetry, python-poetry | poetry-core
uv | |
Pipenv | |
Conda | anaconda, miniconda |
Composer | ~Composer |
Bundler | ~Bundler |
ESLint | es lint | @eslint/js typescript-eslint eslint-config-airbnb eslint-plugin-import
Biome | ~Biome, biomejs | @biomejs/biome
Prettier | | eslint-config-prettier
oxlint | |
Ruff | ~Ruff |
Black | ~Black |
Flake8 | | flake8-bugbear
Pylint | |
mypy | |
Tailwind | tailwind css, tailwindcss | @tailwindcss/forms tailwind-merge @tailwindcss/vite daisyui
Bootstrap | ~Bootstrap, twitter bootstrap | react-bootstrap ng-bootstrap bootstrap-vue ~bootstrap
Material UI | mui, material-ui | @mui/material @material-ui/core @emotion/react
Chakra UI | chakra | @chakra-ui/react
Ant Design | antd | 
Sass | ~Sass, scss | node-sass sass-loader dart-sass
Less | ~Less, less css | less-loader ~less
CSS-in-JS | css in js, cssinjs | styled-components @emotion/styled @emotion/react emotion stitches linaria jss styled-jsx vanilla-extract
styled-components | styled components | babel-plugin-styled-components
Emotion | ~Emotion | @emotion/react @emotion/styled
CSS modules | css module | 
Axios | axios.js | axios-retry
Requests | ~Requests | ~requests
HTTPX | |
got | ~got | ~got
OkHttp | ok http | okhttp3
Retrofit | ~Retrofit | retrofit2
Lodash | lo-dash | lodash-es lodash.debounce lodash.merge
Underscore.js | underscorejs | ~underscore
Moment.js | momentjs, moment js | moment-timezone ~moment
date-fns | datefns | date-fns-tz
Day.js | dayjs |
Luxon | |
Zod | | zod-to-json-schema
Yup | ~Yup | ~yup
Joi | | celebrate
Ajv | | ajv-formats
io-ts | iots |
Pydantic | | pydantic-settings
Datadog | data dog | dd-trace ddtrace datadog-lambda-js datadogpy dogstatsd dd-trace-go datadog-agent datadoghq dd_api_key dd_app_key dd_agent_host dd_site dd_env dd_service dd_version dd_trace_enabled dd_trace_agent_url dd_trace_agent_port dd_trace_agent_hostname dd_logs_enabled dd_logs_injection dd_apm_enabled dd_dogstatsd_url dd_profiling_enabled dd_hostname
New Relic | newrelic | newrelic-agent
Sentry | ~Sentry, sentry.io | @sentry/node @sentry/react @sentry/browser sentry-sdk sentry-go raven sentry-raven sentry-ruby getsentry
Prometheus | | prom-client prometheus-client prometheus-client-python client_golang prometheus_client micrometer-registry-prometheus alertmanager
Grafana | | grafana-oss grafana-agent
Loki | ~Loki, grafana loki | promtail winston-loki
Jaeger | | jaeger-client jaegertracing
Zipkin | | zipkin-js
OpenTelemetry | otel, open telemetry | @opentelemetry/api @opentelemetry/sdk-node opentelemetry-sdk opentelemetry-api
OpenTracing | open tracing |
Splunk | | splunk-sdk splunk-logging
Honeycomb | ~Honeycomb, honeycomb.io | libhoney
CloudWatch | cloud watch, amazon cloudwatch, aws cloudwatch | client-cloudwatch watchtower
StatsD | stats d | node-statsd hot-shots
Fluentd | | fluent-bit fluent-logger
Winston | ~Winston | winston-daily-rotate-file ~winston
Pino | | pino-pretty pino-http
log4j | log4j2 | log4j-core log4j-api slf4j-log4j12
Jenkins | | jenkinsfile
GitHub Actions | gh actions | actions/checkout
GitLab CI | gitlab-ci |
CircleCI | circle ci |
Travis CI | travis, travisci |
TeamCity | team city |
Argo CD | argocd, argo | 
Buildkite | |
OpenAI | open ai, gpt-4, gpt-4o, chatgpt, gpt4 | openai-python openai-node langchain-openai @langchain/openai @ai-sdk/openai go-openai tiktoken
Anthropic | claude api | anthropic-sdk @anthropic-ai/sdk langchain-anthropic @ai-sdk/anthropic
Gemini | ~Gemini, google gemini | google-generativeai @google/generative-ai
Bedrock | amazon bedrock, aws bedrock, ~Bedrock | client-bedrock-runtime
Ollama | |
LangChain | lang chain | langchain-core langchain-community langgraph @langchain/core langchainjs
LlamaIndex | llama index | llama-index
Hugging Face | huggingface | transformers huggingface-hub
TensorFlow | tensor flow, keras | tensorflow-gpu tfjs
PyTorch | torch | torchvision pytorch-lightning
scikit-learn | sklearn, scikit |
Pandas | ~Pandas | geopandas ~pandas
Polars | |
Spark | ~Spark, apache spark, pyspark | spark-core spark-sql
Flink | apache flink | pyflink
Hadoop | apache hadoop, hdfs | hadoop-client
Apache Beam | beam sdk | apache-beam
dbt | data build tool | dbt-core dbt-postgres dbt-snowflake
Stripe | ~Stripe | stripe-js stripe-node stripe-go stripe-python @stripe/stripe-js ~stripe
PayPal | pay pal | paypal-rest-sdk @paypal/react-paypal-js
Braintree | | braintree-web
Adyen | |
Twilio | | twilio-node
SendGrid | send grid | @sendgrid/mail sendgrid-go
Mailgun | | mailgun.js mailgun-js
Segment | ~Segment, segment.io | analytics-node @segment/analytics-node
Amplitude | ~Amplitude | @amplitude/analytics-browser
Mixpanel | | mixpanel-browser
PostHog | post hog | posthog-js posthog-node
Google Analytics | ga4 | react-ga gtag
LaunchDarkly | launch darkly | launchdarkly-node-server-sdk launchdarkly-js-client-sdk ld_sdk_key
Contentful | |
Sanity | ~Sanity | @sanity/client
Strapi | | @strapi/strapi
WordPress | word press | wp-cli
Drupal | |
blockchain | block chain | web3 ethers hardhat truffle hyperledger
crontab | ~cron job, ~cron jobs, ~cron | node-cron crond cronie
`

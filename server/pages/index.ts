import type Router from '@koa/router'
import type { Services } from '#server/services.ts'

export function mountPages(_router: Router, _services: Services): void {}

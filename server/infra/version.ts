import { readFileSync } from 'node:fs'

/** The version of this release, of package.json. The OpenAPI document and the MCP server name it. */
export const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

import type { Body } from './operation.ts'

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function member(body: Body, name: string): Body {
  const value = body[name]
  return isBody(value) ? value : {}
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function unknownMember(body: Body, known: string[]): string | null {
  return Object.keys(body).find((name) => !known.includes(name)) ?? null
}

import type { z } from 'zod'

/** The message for a missing value; its field error has the code `required`. */
export const requiredText = 'is required'

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Record<string, string> = {
  url: 'must be a web address that begins with http:// or https://',
  datetime: 'must be a time with its zone, such as 2026-01-31T12:00:00Z',
  date: 'must be a day, such as 2026-01-31',
}

/** Describes an invalid value for its sender, without the value and the library's words. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return requiredText
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'must not be empty'
      return `must ${bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong form'
    default:
      return 'is not valid here'
  }
}

function bound(origin: string, how: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${how} ${limit} characters`
  if (origin === 'array' || origin === 'set') return `have ${how} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`
  return `be ${how} ${limit}`
}

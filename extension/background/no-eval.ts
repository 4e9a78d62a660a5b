import { z } from 'zod'

// zod makes parsers by eval where it may; our pages forbid that, and trying would be reported as a violation.
z.config({ jitless: true })

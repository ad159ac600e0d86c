/**
 * A text is not the expected JSON. The message names the place but quotes nothing: the text may
 * hold a secret.
 */
export class JsonError extends SyntaxError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JsonError'
  }
}

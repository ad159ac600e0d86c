/**
 * A text is not the JSON that it should be. The message names the place and quotes nothing: the
 * text may hold a secret.
 */
export class JsonError extends SyntaxError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JsonError'
  }
}

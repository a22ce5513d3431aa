import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Form, type FormProps } from '../../kit/web/forms/form.tsx';

interface AuthFormProps extends FormProps {
  readonly refusal: string | null;
  readonly onDismiss: () => void;
}

/** The form of a `useAuthForm`, with the refusal above its parts. */
export function AuthForm({ refusal, onDismiss, children, ...form }: AuthFormProps) {
  return (
    <Form {...form}>
      <Banner onDismiss={onDismiss}>{refusal}</Banner>
      {children}
    </Form>
  );
}

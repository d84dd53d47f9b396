"""An engine that is killed by one query."""

import os

from engine import Handler, answer, serve


class Dying(Handler):
    """Dies of the text `die`."""

    @staticmethod
    def answer(request):
        if request.get("text") == "die":
            os._exit(7)
        return answer(request)


if __name__ == "__main__":
    serve(Dying)

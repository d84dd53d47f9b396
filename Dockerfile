# The scored image. `./bench run build` reads this file and writes the same image on every machine; `docker build` in a
# folder with the six layer tars gives the same file tree.
FROM scratch

# Python 3.11 and the C library, wheels, the frozen corpus, models, the search system, the process that measures.
ADD base.tar /
ADD site.tar /
ADD corpus.tar /
ADD models.tar /
ADD system.tar /
ADD driver.tar /

ENV PATH=/usr/bin
ENV LANG=C.UTF-8
ENV PYTHONPATH=/opt/site PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1
# One thread and one set of kernels, whatever processor the machine has: the same floats everywhere.
ENV OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OPENBLAS_CORETYPE=Haswell

LABEL org.opencontainers.image.title="MamboMeme Bench"
LABEL org.opencontainers.image.description="Ranked meme search, measured through its terminal"
LABEL bench.interface=list-80x24-v1 bench.protocol=search-v1

# The driver is root without capabilities of note; it starts the engine as 10001 and the UI as 10002.
USER 0
WORKDIR /opt/driver
ENTRYPOINT ["python3", "-m", "runner.driver"]

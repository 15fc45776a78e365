# CMake targets for asset packs.
#
#   find_package(BAPackage REQUIRED)
#   ba_add_asset_pack(
#     NAME <target>            # the name of the target and of the archive, <target>.aar
#     MANIFEST <file>          # relative to the current source folder
#     [OUTPUT <file.aar>]      # relative to the current binary folder; default: <target>.aar
#     [SOURCE_ROOT <path>]     # replaces the manifest's; relative to the current source folder
#     [OPTIONS <option>…]      # more options of 'ba-package pack'
#     [ALL])                   # add the target to the default build
#
# Ninja and CMake have no syntax for some characters in names, such as '#', '$', "'", '*' and the
# backslash. With a Ninja generator, packing fails with an error for a file with such a name.
#
# The archive is rebuilt when its manifest, a file in it or the options change, and when a file is
# added or removed. The property ASSET_PACK of the target is the path of the archive. A target that
# uses the archive must depend on the target (add_dependencies).
#
# BAPackage_EXECUTABLE is the path of the program: the program of the same installation prefix, or
# else the program in PATH.
cmake_minimum_required(VERSION 3.20)

find_program(BAPackage_EXECUTABLE ba-package
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "The ba-package program")
if(NOT BAPackage_EXECUTABLE)
  set(BAPackage_FOUND FALSE)
  set(BAPackage_NOT_FOUND_MESSAGE "cannot find ba-package in the prefix of this package or in PATH; set BAPackage_EXECUTABLE.")
  return()
endif()

function(ba_add_asset_pack)
  cmake_parse_arguments(PARSE_ARGV 0 pack "ALL" "NAME;MANIFEST;OUTPUT;SOURCE_ROOT" "OPTIONS")
  if(pack_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ba_add_asset_pack: unknown arguments '${pack_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT pack_NAME OR NOT pack_MANIFEST)
    message(FATAL_ERROR "ba_add_asset_pack requires NAME and MANIFEST")
  endif()
  if(NOT pack_OUTPUT)
    set(pack_OUTPUT "${pack_NAME}.aar")
  endif()
  if(NOT pack_OUTPUT MATCHES "\\.aar$")
    message(FATAL_ERROR "ba_add_asset_pack: OUTPUT '${pack_OUTPUT}' must end in '.aar'")
  endif()
  get_filename_component(manifest "${pack_MANIFEST}" ABSOLUTE)
  get_filename_component(archive "${pack_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_filename_component(folder "${archive}" DIRECTORY)
  set(options ${pack_OPTIONS})
  if(pack_SOURCE_ROOT)
    get_filename_component(root "${pack_SOURCE_ROOT}" ABSOLUTE)
    list(APPEND options --source-root "${root}")
  endif()
  set(all)
  if(pack_ALL)
    set(all ALL)
  endif()
  set(make_folder COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}")
  set(pack COMMAND "${BAPackage_EXECUTABLE}" pack "${manifest}" --quiet -o "${archive}")
  if(CMAKE_GENERATOR MATCHES "Ninja")
    add_custom_command(
      OUTPUT "${archive}"
      ${make_folder} ${pack} --force --depfile "${archive}.d" --depfile-format cmake ${options}
      DEPENDS "${manifest}" "${BAPackage_EXECUTABLE}"
      DEPFILE "${archive}.d"
      COMMENT "Packing ${pack_NAME}"
      VERBATIM)
    add_custom_target("${pack_NAME}" ${all} DEPENDS "${archive}")
  else()
    # CMake's makefiles keep each file of a depfile, and rebuild in each run after such a file is
    # removed. '--update' determines in milliseconds whether an input changed.
    add_custom_target("${pack_NAME}" ${all} ${make_folder} ${pack} --update ${options}
      BYPRODUCTS "${archive}" COMMENT "Updating ${pack_NAME}" VERBATIM)
  endif()
  set_target_properties("${pack_NAME}" PROPERTIES ASSET_PACK "${archive}")
endfunction()
